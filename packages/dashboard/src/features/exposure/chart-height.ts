/** Of the timeline, and of what stands in its place while it is loaded. */
export const CHART_PX = 300
