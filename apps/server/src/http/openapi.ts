import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import swagger from '@fastify/swagger'
import reference from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import * as z from 'zod'
import { conditionSchema, valueSchema } from '@cadmus/model/conditions/condition'
import { allowsOtherOrganisation, type Call } from '@cadmus/model/contract/call'
import { adminOrganisationHeader, organisationHeader, signInHeader } from '@cadmus/model/contract/routes'
import { errorAnswer } from '@cadmus/model/contract/shared'
import { eitherOf } from '@cadmus/model/display'
import type { Context } from '../context.ts'
import { ReadyFile } from './ready-file.ts'

const openapi = '3.1.0'
const tokenDescription =
  'For scripts: a personal access token, made in the profile menu under Access Tokens. It works in one organisation, named by X-Organisation-Code; no other header and no cookie is needed.'

const securitySchemes = {
  session: { type: 'apiKey', in: 'cookie', name: 'cadmus_session' },
  token: { type: 'http', scheme: 'bearer', description: tokenDescription },
} as const

/** Serves `/openapi.json`, built from the schemas that validate requests, and `/api-reference`, which displays it. */
export async function describeApi(app: FastifyInstance, context: Context): Promise<void> {
  const info = {
    title: 'Cadmus console',
    version: context.config.version,
    description: 'The API of the Cadmus console.',
  }
  const describe = cacheByCall(describeCall)
  const declared: Parameters<typeof describeCall>[0][] = []
  app.addHook('onRoute', route => {
    if (route.schema) declared.push({ schema: route.schema, url: route.url, route, openapiObject: { openapi, info } })
  })
  await app.register(swagger, {
    openapi: {
      openapi,
      info,
      servers: [{ url: '/' }],
      components: { securitySchemes },
    },
    transform: describe,
    transformObject: createJsonSchemaTransformObject(conversion),
  })
  const description = new ReadyFile()
  app.get('/openapi.json', async (request, reply) => {
    reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache')
    return reply.send(
      await description.answer(request, reply, async () => {
        // Yields between the routes: describing all of them at once would block the thread.
        for (const one of declared) {
          describe(one)
          await nextTurn()
        }
        return JSON.stringify(app.swagger())
      }),
    )
  })
  await showReference(app)
}

// A recursive schema needs a name.
z.globalRegistry.add(conditionSchema, { id: 'Condition' })
z.globalRegistry.add(valueSchema, { id: 'DataStepValue' })
const conversion = { zodToJsonConfig: { unrepresentable: 'any' } } as const

const transform = createJsonSchemaTransform(conversion)

/** Describes calls completely and hides all other routes. */
function describeCall(data: Parameters<typeof transform>[0]): ReturnType<typeof transform> {
  const call = data.route.config?.route?.call
  if (call === undefined) return { schema: { hide: true }, url: data.url }
  const { schema, url } = transform({ ...data, schema: { ...data.schema, response: responsesOf(call) } })
  const response = Object.assign({}, schema.response, downloadResponse(call), taggedResponse(call, schema.response))
  return { schema: { ...schema, ...describeExtras(call), response }, url }
}

/** Caches descriptions by call. */
function cacheByCall(describe: typeof describeCall): typeof describeCall {
  const cache = new Map<Call, ReturnType<typeof describeCall>>()
  return data => {
    const call = data.route.config?.route?.call
    const answer = (call && cache.get(call)) ?? describe(data)
    if (call) cache.set(call, answer)
    return answer
  }
}

/** Adds properties that the schemas lack: permissions, headers and files. */
function describeExtras(call: Call): Record<string, unknown> {
  const base = call.concurrency === 'if-match' ? ['If-Match'] : []
  const where = call.access === 'public' ? signInHeader : organisationHeader
  // Outside an organisation, the caller sends the sign-in header instead.
  const isEither = call.access === 'console'
  const names = [where, ...(isEither ? [signInHeader] : []), ...base]
  return {
    security: securityOf(call),
    headers: {
      type: 'object',
      properties: Object.fromEntries(
        [
          ...names,
          ...(allowsOtherOrganisation(call) ? [adminOrganisationHeader] : []),
          ...(call.revalidates ? ['If-None-Match'] : []),
        ].map(name => [name, headerSchema(name)]),
      ),
      required: isEither ? base : names,
    },
    ...(call.files === undefined ? {} : { consumes: ['multipart/form-data'], body: formSchema(call.files) }),
  }
}

function securityOf({ access, by }: Call): Record<string, never[]>[] {
  if (access === 'public') return []
  return by === 'session' ? [{ session: [] }] : [{ session: [] }, { token: [] }]
}

const headerDescriptions: Readonly<Record<string, string>> = {
  'If-Match': 'The ETag of the state on which the save is based; * overwrites any state.',
  'If-None-Match': 'The ETag of the state that the caller has: 304 without a body if it is still current.',
  [adminOrganisationHeader]: `Administrators only: the code of any organisation, in which the call is then made instead of the one of ${organisationHeader}, which need not be sent.`,
}

function headerSchema(name: string): object {
  const description = headerDescriptions[name]
  return { type: 'string', ...(description === undefined ? {} : { description }) }
}

function responsesOf(call: Call): Record<string, unknown> {
  const answer = call.answer === 'binary' ? {} : { 200: okResponse(call.answer) }
  return {
    ...answer,
    default: { description: 'An error.', content: { 'application/json': { schema: errorAnswer } } },
  }
}

function okResponse(schema: unknown): Record<string, unknown> {
  return { description: 'The answer.', content: { 'application/json': { schema } } }
}

/** Adds the ETag header, which a later save or reading sends. */
function taggedResponse(call: Call, response: unknown): Record<string, unknown> {
  if (call.answer === 'binary' || call.concurrency === undefined) return {}
  const use = call.revalidates ? 'If-None-Match' : 'If-Match in a save'
  const headers = { ETag: { description: `The tag of this state, to be sent as ${use}.`, type: 'string' } }
  const tagged = { 200: { ...Object(Reflect.get(Object(response), '200')), headers } }
  return call.revalidates ? { ...tagged, 304: { description: 'The state of If-None-Match is current.' } } : tagged
}

function downloadResponse(call: Call): Record<string, unknown> {
  if (call.answer !== 'binary') return {}
  const schema = { type: 'string', format: 'binary' }
  const headers = Object.entries(call.answerHeaders ?? {}).map(([name, description]) => [
    name,
    { description, type: 'string' },
  ])
  const content = Object.fromEntries((call.mediaTypes ?? []).map(type => [type, { schema }]))
  return { 200: { description: 'The file.', content, headers: Object.fromEntries(headers) } }
}

function formSchema(files: NonNullable<Call['files']>): Record<string, unknown> {
  return {
    type: 'object',
    properties: Object.fromEntries(
      files.map(file => [
        file.part,
        { type: 'string', format: 'binary', description: `A ${eitherOf(file.extensions)} file.` },
      ]),
    ),
    required: files.map(file => file.part),
    additionalProperties: { type: 'string' },
  }
}

const page = '/api-reference'
const script = `${page}/js/scalar.js`

/** Serves `/api-reference`: the page that displays `/openapi.json`, and its script of several megabytes. */
async function showReference(app: FastifyInstance): Promise<void> {
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
