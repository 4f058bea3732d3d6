import type { Page } from 'playwright-core'

export interface DemoPage {
  readonly name: string
  readonly route: string
  readonly environment?: string
  readonly search?: string
  readonly isSignedOut?: boolean
  /** The action on the page before it is shown. */
  readonly act?: (page: Page) => Promise<void>
}

export declare const PAGES: readonly DemoPage[]

export declare function addressOf(
  page: DemoPage,
  ids: { readonly environments: Readonly<Record<string, string>>; readonly project_id: string },
): string

export declare function openPage(tab: Page, address: string, page: DemoPage): Promise<void>
