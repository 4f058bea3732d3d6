import type { Page } from 'playwright-core'

export interface DemoPage {
  readonly name: string
  readonly route: string
  readonly environment?: string
  readonly search?: string
  readonly isSignedOut?: boolean
  /** What is done on it first. */
  readonly act?: (page: Page) => Promise<void>
}

export declare const PAGES: readonly DemoPage[]

export declare function addressOf(
  page: DemoPage,
  ids: { readonly environments: Readonly<Record<string, string>>; readonly project_id: string },
): string

export declare function openPage(tab: Page, address: string, page: DemoPage): Promise<void>
