import type { FastifyInstance, FastifyReply } from 'fastify'

/** No 'unsafe-inline', and nothing from elsewhere. */
const policy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
]

/** The same for every answer, so that none has to put them together. */
const headers = {
  'content-security-policy': policy.join(';'),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
} as const

function headersOf(isHttps: boolean): Readonly<Record<string, string>> {
  return isHttps ? { ...headers, 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : headers
}

/** The headers of every answer; a page that needs another policy says so itself. */
export function secureHeaders(app: FastifyInstance, isHttps: boolean): void {
  const all = Object.entries(headersOf(isHttps))
  app.addHook('onSend', (_request, reply, _payload, next) => {
    for (const [name, value] of all) if (!reply.hasHeader(name)) reply.header(name, value)
    // What is answered to one caller is kept by nobody; files of pages say themselves how long they may be.
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    next()
  })
}

/** For pages that ask the issuer for tokens. */
export function mayAskIssuer(reply: FastifyReply, issuer: URL | null): FastifyReply {
  const asking = headers['content-security-policy'].replace(
    "connect-src 'self'",
    `connect-src 'self' ${issuer?.origin ?? ''}`.trim(),
  )
  return reply.header('content-security-policy', asking)
}

/** The headers of an answer that is no page, as names and values in turn. */
export function fixedHeaders(isHttps: boolean): string[] {
  return [...Object.entries(headersOf(isHttps)).flat(), 'cache-control', 'no-store']
}
