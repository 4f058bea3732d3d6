import { STYLE } from './style.ts'
import { type Visitor, visitorQuery } from './visitor.ts'

/** The whole document around the shop, with the few lines that keep it up to date. */
export function renderPage(visitor: Visitor, shop: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Skerry Supply</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">
<style>${STYLE}</style>
</head>
<body>
<div id="shop">${shop}</div>
<script>
new EventSource('/events?${visitorQuery(visitor)}').addEventListener('shop', ({ data }) => {
  const html = JSON.parse(data)
  if (html === shop.shown) return
  shop.shown = html
  shop.innerHTML = html
})
</script>
</body>
</html>`
}

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M6 3v26" stroke="#64748b" stroke-width="3" stroke-linecap="round"/><path d="M8 5l19 7-19 7z" fill="#e4572e"/></svg>'
