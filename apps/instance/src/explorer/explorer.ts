import type { Api, ApiEntity } from '@cadmus/model/api/api'
import { jsonPieces } from '@cadmus/model/text-pieces'
import { operations, type OperationName } from '@cadmus/model/entity'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { acceptedScopes } from '../auth/gate.ts'
import { allowIssuer } from '../http/secure-headers.ts'
import { notFound } from '../http-error.ts'
import type { Admitted } from '../auth/admitted.ts'
import type { ServedPackage } from '../engine/engine.ts'
import type { ProtocolHost } from '../protocols/protocol-host.ts'

const folder = new URL('page/', import.meta.url)
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}

const json = 'application/json; charset=utf-8'

type ExplorerRequest = FastifyRequest<{ Params: { namespace: string }; Querystring: { package?: unknown } }>

/**
 * Serves the page at `/api-explorer` and its data. Anyone may read the list of packages; the calls of a package need
 * access to it.
 */
export function registerExplorer<Running extends ServedPackage>(
  app: FastifyInstance,
  host: ProtocolHost<Running>,
): void {
  const page = readFileSync(new URL('explorer.html', folder), 'utf8')
  app.get('/', async (_request, reply) => reply.redirect('/api-explorer'))
  app.get('/api-explorer', async (_request, reply) => {
    return allowIssuer(reply, host.issuer).type('text/html; charset=utf-8').send(page)
  })
  for (const name of readdirSync(folder)) {
    const type = types[extname(name)]
    if (type === undefined) continue
    const content = readFileSync(new URL(name, folder), 'utf8')
    app.get(`/api-explorer/${name}`, async (_request, reply) => {
      return reply.type(type).header('cache-control', 'no-cache').send(content)
    })
  }
  app.get('/api-explorer/packages.json', async ({ query }: ExplorerRequest) => ({
    packages: listedPackages(query.package, host.running()).map(({ api }) => packageOf(api)),
    issuer: host.issuer?.href.replace(/\/$/, '') ?? null,
  }))
  app.get('/api-explorer/calls/:namespace', async (request: ExplorerRequest, reply) => {
    const running = host.byNamespace(request.params.namespace)
    if (!running) throw notFound()
    const caller = await host.admit(request, running, 'any')
    request.scope.requireCaller()
    return host.send(reply, json, jsonPieces({ caller: caller.name, calls: callsOf(running.api, caller) }))
  })
}

/**
 * The packages listed without a sign-in: those without security and the one named in the request; all of them if they
 * belong to one owner.
 */
function listedPackages<Running extends ServedPackage>(
  named: unknown,
  running: readonly Running[],
): readonly Running[] {
  if (ownersOf(running).size < 2) return running
  return running.filter(({ api: { name, namespace, security } }) => {
    return security.kind === 'NONE' || namespace === named || name === named
  })
}

/** Packages without the uid of an owner count as packages of an owner with the same organisation. */
function ownersOf(running: readonly ServedPackage[]): Set<string> {
  const uids = new Map(running.flatMap(({ owner, organisation }) => (owner === null ? [] : [[organisation, owner]])))
  return new Set(running.map(({ owner, organisation }) => owner ?? uids.get(organisation) ?? organisation))
}

function packageOf({ name, namespace, title, version, protocols, security }: Api) {
  const { kind, identityProvider, scopes, globalScopes } = security
  return { name, namespace, title, version, protocols, security: kind, identityProvider, scopes, globalScopes }
}

/** Lists every operation with its scopes, one of which is enough, and whether the caller is allowed to run it. */
function callsOf(api: Api, caller: Admitted) {
  return api.entities.flatMap(entity =>
    operations
      .filter(operation => entity.operations[operation])
      .map(operation => {
        const need = { entity: entity.name, operation }
        const scopes = acceptedScopes(api, need)
        return { ...addressOf(entity, operation), entity: entity.name, may: caller.may(need), scopes }
      }),
  )
}

const methods = { selectAll: 'GET', select: 'GET', insert: 'POST', update: 'PUT', delete: 'DELETE' } as const

function addressOf({ segment, key }: ApiEntity, operation: OperationName) {
  const isSingle = operation === 'select' || operation === 'delete'
  return {
    method: methods[operation],
    path: `/${segment}${isSingle ? key.map(({ name }) => `/{${name}}`).join('') : ''}`,
  }
}
