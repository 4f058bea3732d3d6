import type { Page } from 'playwright-core'

export interface DemoPage {
  readonly name: string
  readonly route: string
  readonly environment?: string
  readonly search?: string
  readonly is_signed_out?: boolean
}

export declare const PAGES: readonly DemoPage[]

export declare function addressOf(
  page: DemoPage,
  ids: { readonly environments: Readonly<Record<string, string>>; readonly project_id: string },
): string

export declare function settle(page: Page): Promise<void>
