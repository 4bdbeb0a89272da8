import reference from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { ReadyFile } from './ready-file.ts'

const page = '/api-reference'
const script = `${page}/js/scalar.js`

/** Serves `/api-reference`: the page that displays `/openapi.json`, and its script of several megabytes. */
export async function showReference(app: FastifyInstance): Promise<void> {
  const version = versionOf('@scalar/fastify-api-reference')
  await app.register(async scope => {
    cacheScript(scope, version)
    await scope.register(reference, {
      routePrefix: page,
      configuration: {
        cdn: `js/scalar.js?v=${version}`,
        favicon: '/favicon.svg',
        url: '/openapi.json',
        pageTitle: 'Cadmus API reference',
        withDefaultFonts: false,
        hideClientButton: true,
        telemetry: false,
        agent: { disabled: true },
        mcp: { disabled: true },
        showDeveloperTools: 'never',
      },
      hooks: {
        onRequest: (_request, _reply, done) => done(),
        // The reference page starts from an inline script. Only this page has this policy, and it reaches this server
        // only.
        preHandler: (_request, reply, done) => {
          reply.header('content-security-policy', referencePolicy)
          done()
        },
      },
    })
  })
}

/** Compresses the script once; browsers cache it per version. */
function cacheScript(scope: FastifyInstance, version: string): void {
  const file = new ReadyFile()
  scope.addHook('onSend', async (request, reply, payload) => {
    if (request.routeOptions.url !== script || typeof payload !== 'string') return payload
    const isCurrentVersion = request.url.endsWith(`?v=${version}`)
    reply.header('cache-control', isCurrentVersion ? 'public, max-age=31536000, immutable' : 'no-cache')
    return file.answer(request, reply, () => payload)
  })
}

function versionOf(name: string): string {
  const main = createRequire(import.meta.url).resolve(name)
  const description: unknown = JSON.parse(readFileSync(join(dirname(main), '../package.json'), 'utf8'))
  return z.object({ version: z.string() }).parse(description).version
}

const referencePolicy =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
