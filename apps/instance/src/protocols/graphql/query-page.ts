import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readFileSync } from 'node:fs'
import { mayAskIssuer } from '../../http/secure-headers.ts'

const files = {
  'query.css': 'text/css; charset=utf-8',
  'query.js': 'text/javascript; charset=utf-8',
} as const

const page = read('query.html')

/** What the page to write queries consists of beside itself. */
export function registerQueryPage(app: FastifyInstance): void {
  for (const [name, type] of Object.entries(files)) {
    const content = read(name)
    app.get(`/graphql-page/${name}`, async (_request, reply) => {
      return reply.type(type).header('cache-control', 'no-cache').send(content)
    })
  }
}

/** A browser that was led there asks for a page and not for data. */
export function wantsPage({
  headers,
  query,
}: FastifyRequest<{ Querystring: Readonly<Record<string, unknown>> }>): boolean {
  return query['query'] === undefined && /\btext\/html\b/.test(headers.accept ?? '')
}

export function sendQueryPage(reply: FastifyReply, issuer: URL | null): FastifyReply {
  return mayAskIssuer(reply, issuer).type('text/html; charset=utf-8').send(page)
}

function read(name: string): string {
  return readFileSync(new URL(`page/${name}`, import.meta.url), 'utf8')
}
