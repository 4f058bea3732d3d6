import { describe, expect, test } from 'vitest'
import { prefersHtml } from '../../../../src/http/responses/prefers-html.ts'

describe('Accept headers that prefer a page', () => {
  test.each([
    ['text/html'],
    ['TEXT/HTML; charset=utf-8'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'],
    ['text/html, */*'],
    ['application/json;q=0.5, text/html;q=0.6'],
    ['text/*'],
    ['*/*, application/json;q=0'],
  ])('a page is preferred by %s', (accept) => {
    expect(prefersHtml(accept)).toBe(true)
  })
})

describe('Accept headers that do not prefer a page', () => {
  test.each([
    [undefined],
    [''],
    ['*/*'],
    ['application/json'],
    ['application/json, text/plain, */*'],
    ['application/json, text/html'],
    ['text/html, application/json'],
    ['text/html;q=0'],
    ['text/html;q=0.1, */*'],
    ['text/html;q=2'],
    ['text/html;q=x'],
    ['text/event-stream'],
    ['image/*,*/*;q=0.8'],
    ['*/*, text/html;q=0'],
    [';q=1,,/'],
  ])('a page is not preferred by %s', (accept) => {
    expect(prefersHtml(accept)).toBe(false)
  })
})
