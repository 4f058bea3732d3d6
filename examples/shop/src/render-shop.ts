import { escapeHtml } from './escape-html.ts'
import { LANTERN } from './lantern.ts'
import type { Offer } from './offer.ts'
import { type Visitor, visitorQuery } from './visitor.ts'

const PRICE = 49
const USERS = ['anna', 'bo', 'chris', 'dana']
const COUNTRIES = [
  { code: null, name: 'Elsewhere' },
  { code: 'NO', name: 'Norway' },
  { code: 'SE', name: 'Sweden' },
]

/** Everything that can change while the page is open. */
export function renderShop(visitor: Visitor, offer: Offer, isLive: boolean): string {
  return `
<header class="banner ${offer.bannerColor}">
  <span>Autumn at sea: lanterns, ropes and oilskins</span>
</header>
<main>
  <nav>
    <strong class="brand">Skerry Supply</strong>
    <span class="pill ${isLive ? 'live' : 'away'}">${isLive ? 'Flags are live' : 'Last known flags'}</span>
  </nav>
  <article>
    <figure>${LANTERN}</figure>
    <section>
      <h1>Signal lantern No. 4</h1>
      <p class="lead">Solid brass, hand-spun, with a Fresnel lens that is seen two miles out.</p>
      <p class="price">€${PRICE}</p>
      ${shipping(offer.freeShippingFrom)}
      ${checkout(offer.hasNewCheckout)}
    </section>
  </article>
  ${whoYouAre(visitor)}
  ${decisionTable(offer)}
</main>`
}

function shipping(freeFrom: number): string {
  return PRICE >= freeFrom
    ? '<p class="shipping free">Free shipping on this order</p>'
    : `<p class="shipping">Free shipping from €${freeFrom}: add €${freeFrom - PRICE} more</p>`
}

function checkout(isNew: boolean): string {
  return isNew
    ? '<button class="buy new">Buy now, pay in one step</button><p class="note">Delivered to your usual address</p>'
    : '<button class="buy">Add to basket</button><p class="note">Checkout in four steps</p>'
}

function whoYouAre(visitor: Visitor): string {
  const users = [...new Set([...USERS, visitor.user])].map((user) =>
    choice({ ...visitor, user }, user, user === visitor.user),
  )
  const countries = COUNTRIES.map(({ code, name }) =>
    choice({ ...visitor, country: code }, name, code === visitor.country),
  )
  return `<section class="visitor">
    <div><h2>You are</h2>${users.join('')}</div>
    <div><h2>You live in</h2>${countries.join('')}</div>
  </section>`
}

function choice(visitor: Visitor, label: string, isCurrent: boolean): string {
  const current = isCurrent ? ' aria-current="true"' : ''
  return `<a class="choice" href="/?${escapeHtml(visitorQuery(visitor))}"${current}>${escapeHtml(label)}</a>`
}

function decisionTable({ decisions }: Offer): string {
  const rows = decisions.map(
    ({ flagKey, reason, value }) =>
      `<tr><th scope="row">${flagKey}</th><td><code>${escapeHtml(value)}</code></td><td>${escapeHtml(reason)}</td></tr>`,
  )
  return `<table>
    <caption>What the flags decide for you</caption>
    <thead><tr><th scope="col">Flag</th><th scope="col">Value</th><th scope="col">Because</th></tr></thead>
    <tbody>${rows.join('')}</tbody>
  </table>`
}
