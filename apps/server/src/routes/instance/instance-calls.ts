import {
  getInstanceDatabase,
  listInstanceDatabases,
  listInstancePackages,
  listWorkspacePackages,
  testInstance,
} from '@cadmus/model/contract/instance'
import { messages } from '@cadmus/model/messages'
import { packageOwner, type PackageOwner } from '../../commands/package/package-owner.ts'
import { ApiError } from '../../errors/api-error.ts'
import { handle, type RequestContext } from '../../http/route.ts'
import { InstanceClient } from '../../remote/instance-client.ts'
import { instanceTarget } from '../../remote/instance-target.ts'

type InstanceRequest = Parameters<typeof instanceTarget>[1]

const ok = { result: 'OK' as const, message: '' }

function clientFor(body: InstanceRequest, { context, who }: RequestContext): InstanceClient {
  return new InstanceClient(instanceTarget(context, body, who.userId))
}

function ownerOf({ context, organisation }: RequestContext): Promise<PackageOwner> {
  return packageOwner(context.store, organisation.id)
}

export const listWorkspacePackagesRoute = handle(listWorkspacePackages, async ({ body }, request) => ({
  ...ok,
  items: await clientFor(body, request).packages(await ownerOf(request)),
}))

export const listInstancePackagesRoute = handle(listInstancePackages, async ({ body }, request) => ({
  ...ok,
  items: await clientFor(body, request).packages(await ownerOf(request)),
}))

export const listInstanceDatabasesRoute = handle(listInstanceDatabases, async ({ body }, request) => ({
  ...ok,
  items: await clientFor(body, request).databases(await ownerOf(request)),
}))

export const getInstanceDatabaseRoute = handle(getInstanceDatabase, async ({ body }, request) => ({
  ...ok,
  database: await clientFor(body, request).database(body.name, await ownerOf(request)),
}))

export const testInstanceRoute = handle(testInstance, async ({ body }, request) => {
  const target = instanceTarget(request.context, body, request.who.userId)
  const all = await new InstanceClient(target).allPackages()
  if (all.length === 0) throw new ApiError(409, 'instance_empty', messages.packages.instance.empty(target.name))
  return { result: 'OK' as const, message: messages.packages.connected(target.name) }
})
