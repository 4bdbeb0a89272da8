import {
  getInstanceDatabase,
  listInstanceDatabases,
  listInstancePackages,
  listWorkspacePackages,
  listWorkspaces,
  testInstance,
} from '@cadmus/model/contract/instance'
import { bestMatches } from '@cadmus/model/match-rank'
import { messages } from '@cadmus/model/messages'
import { foldName } from '@cadmus/model/paths'
import { packageOwner, type PackageOwner } from '../commands/package/package-owner.ts'
import { ApiError } from '../errors/api-error.ts'
import { handle, type RequestContext, type Route } from '../http/route.ts'
import { InstanceClient } from '../remote/instance-client.ts'
import { addressOf, instanceTarget } from '../remote/instance-target.ts'

export const instanceRoutes: Route[] = [
  handle(listWorkspaces, async ({ query: { page, size, search } }, { context }) => {
    const byName = context.config.instances.toSorted((one, other) =>
      foldName(one.name) < foldName(other.name) ? -1 : 1,
    )
    const match = bestMatches(byName, ({ name }) => [name], search)
    const items = match.slice(page * size, (page + 1) * size).map(({ name, url }) => {
      const path = addressOf(url)
      return { id: name, name, path, hostname: url.hostname, url: path }
    })
    return { result: 'OK' as const, message: '', items, totalElements: match.length, size, page }
  }),
  handle(listWorkspacePackages, async ({ body }, request) => ({
    ...ok,
    items: await clientFor(body, request).packages(await ownerOf(request)),
  })),
  handle(listInstancePackages, async ({ body }, request) => ({
    ...ok,
    items: await clientFor(body, request).packages(await ownerOf(request)),
  })),
  handle(listInstanceDatabases, async ({ body }, request) => ({
    ...ok,
    items: await clientFor(body, request).databases(await ownerOf(request)),
  })),
  handle(getInstanceDatabase, async ({ body }, request) => ({
    ...ok,
    database: await clientFor(body, request).database(body.name, await ownerOf(request)),
  })),
  handle(testInstance, async ({ body }, request) => {
    const target = instanceTarget(request.context, body, request.who.userId)
    const all = await new InstanceClient(target).allPackages()
    if (all.length === 0) throw new ApiError(409, 'instance_empty', messages.packages.instance.empty(target.name))
    return { result: 'OK' as const, message: messages.packages.connected(target.name) }
  }),
]

type InstanceRequest = Parameters<typeof instanceTarget>[1]

const ok = { result: 'OK' as const, message: '' }

function clientFor(body: InstanceRequest, { context, who }: RequestContext): InstanceClient {
  return new InstanceClient(instanceTarget(context, body, who.userId))
}

function ownerOf({ context, organisation }: RequestContext): Promise<PackageOwner> {
  return packageOwner(context.store, organisation.id)
}
