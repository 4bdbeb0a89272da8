import { createHash } from 'node:crypto'
import { type DemoUser, demoUsers } from './demo-users.ts'

/** A page of the provider, with the policy that allows exactly its own style and script. */
export type ProviderPage = { html: string; policy: string }

const style = `
:root { color-scheme: light dark; --bg: #f6f7f9; --surface: #fff; --line: #e3e6ea; --control: #858d99; --text: #16191f; --muted: #5a6270; --accent: #4f46e5; --hover: #eef0f3 }
@media (prefers-color-scheme: dark) {
  :root { --bg: #0f1115; --surface: #16191f; --line: #282d36; --control: #6d7684; --text: #e8eaee; --muted: #9aa3b2; --accent: #8b8cf9; --hover: #1f242c }
}
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px; background: var(--bg); color: var(--text);
  font: 14px/1.5 system-ui, sans-serif }
main { width: 100%; max-width: 400px; background: var(--surface); border: 1px solid var(--line); border-radius: 10px; padding: 28px }
h1 { margin: 0 0 4px; font-size: 20px; font-weight: 600 }
p { margin: 0 0 20px; color: var(--muted) }
ul { list-style: none; margin: 0; padding: 0; display: grid; gap: 8px }
button { width: 100%; text-align: start; font: inherit; color: inherit; background: none; border: 1px solid var(--control); border-radius: 8px;
  padding: 10px 14px; cursor: pointer }
button:hover { background: var(--hover) }
button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
strong { display: block; font-weight: 600 }
small { color: var(--muted); font-size: 13px }
.demo { margin: 20px 0 0; font-size: 13px }
`
const submitOnLoad = "document.addEventListener('DOMContentLoaded', () => document.forms[0].submit())"

/**
 * Shows one button per user. `action` returns the address of a user's form; `returnOrigins` is the origin to which the sign-in
 * redirects.
 */
export function signInPage(action: (user: DemoUser) => string, returnOrigins: string, demo: boolean): ProviderPage {
  const users = demoUsers.map(
    user =>
      `<li><form method="post" action="${escape(action(user))}"><button type="submit" name="user" value="${escape(
        user.subject,
      )}"><strong>${escape(user.subject)}</strong><small>${escape(user.about)}</small></button></form></li>`,
  )
  const body = `<h1>Sign in to Cadmus</h1><p>Choose a user.</p><ul>${users.join('')}</ul>`
  return page('Sign in', body, demo, { returnOrigins })
}

/**
 * Announces and submits the sign-out. `form` is the provider's, with its token. `returnOrigins` lists the origins of clients,
 * because signing in as another user starts with a sign-out.
 */
export function signOutPage(form: string, returnOrigins: string, demo: boolean): ProviderPage {
  const button =
    '<input type="hidden" name="logout" value="yes"><noscript><button type="submit">Sign out</button></noscript>'
  return page('Sign out', `<h1>Signing Out...</h1>${form.replace('</form>', `${button}</form>`)}`, demo, {
    script: submitOnLoad,
    returnOrigins,
  })
}

export function messagePage(title: string, message: string, demo: boolean): ProviderPage {
  return page(title, `<h1>${escape(title)}</h1><p>${escape(message)}</p><a href="/">Back to Cadmus</a>`, demo)
}

type PageOptions = { script?: string; returnOrigins?: string }

function page(
  title: string,
  body: string,
  demo: boolean,
  { script = '', returnOrigins = '' }: PageOptions = {},
): ProviderPage {
  const notice = demo
    ? 'This is a demo: anyone can sign in.'
    : 'Development identity provider. It runs on this machine only.'
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><link rel="icon" href="/favicon.svg"><title>${escape(title)} - Cadmus</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${style}</style>${
    script === '' ? '' : `<script>${script}</script>`
  }</head><body><main>${body}<p class="demo">${notice}</p></main></body></html>`
  const policy =
    `default-src 'none'; img-src 'self'; style-src ${hash(style)}; script-src ${script === '' ? "'none'" : hash(script)}; ` +
    // Browsers check the redirects of a form as well.
    `form-action 'self'${returnOrigins === '' ? '' : ` ${returnOrigins}`}; base-uri 'none'; frame-ancestors 'none'`
  return { html, policy }
}

function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

function escape(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return text.replaceAll(/[&<>"']/g, character => entities[character] ?? character)
}
