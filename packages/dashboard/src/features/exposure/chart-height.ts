/** The height of the timeline, and of its placeholder while it is loaded. */
export const CHART_PX = 300
