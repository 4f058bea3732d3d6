import { afterAll, type TestContext } from 'vitest'
import {
  type DashboardServer,
  type OpenWindow,
  openWindow,
  type VisitOptions,
  type Visitor,
} from './open-dashboard.ts'

/** Returns the window of a person of the story, which is opened in the chapter that needs it first. */
export type Story = (test: TestContext, name: string, options?: VisitOptions) => Promise<Visitor>

/**
 * Opens a story: a file whose tests are chapters. Each goes on where the one before has ended, in the same
 * windows, which close after the last.
 */
export function openStory(server: DashboardServer): Story {
  const windows = new Map<string, OpenWindow>()
  afterAll(async () => {
    for (const { close } of windows.values()) await close()
  })
  return async (test, name, options) => {
    const window = windows.get(name) ?? (await openWindow(test, server, options))
    windows.set(name, window)
    return window
  }
}
