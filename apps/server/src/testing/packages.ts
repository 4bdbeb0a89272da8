import { createManifest, saveManifestConfiguration } from '@cadmus/model/contract/manifest'
import {
  buildManifest,
  downloadPackage,
  getPackageStatus,
  listPackages,
  type PackageItem,
} from '@cadmus/model/contract/package'
import { setTimeout as wait } from 'node:timers/promises'
import type { ConsoleClient, CallArguments } from './client.ts'

export type BuildBody = NonNullable<CallArguments<typeof buildManifest>['body']>

/** Waits until the package's builds have ended; returns the last status and reason. */
export async function ended(client: ConsoleClient, packageId: number): Promise<{ status: string; reason: string }> {
  const until = performance.now() + 40_000
  for (;;) {
    const query = { packageIds: String(packageId) }
    const [result] = (await client.call(getPackageStatus, { query })).packages
    if (result === undefined) throw new Error('There is no such package.')
    const { status, reason } = result
    if (status !== 'PROCESSING') return { status, reason }
    if (performance.now() > until) throw new Error('The package is still being built.')
    await wait(40)
  }
}

/** Throws with the reason if the build failed. */
export async function built(client: ConsoleClient, packageId: number): Promise<PackageItem> {
  const { status, reason } = await ended(client, packageId)
  if (status !== 'SUCCESS') throw new Error(`The package was not built: ${reason}`)
  return packageOf(client, packageId)
}

/** Builds a package whose configuration has a password, ready for upload. */
export async function aBuiltPackage(client: ConsoleClient, manifestName: string): Promise<PackageItem> {
  const body = { manifestName, exclusiveEntities: ['Customer'] }
  const { manifest } = await client.call(createManifest, { body })
  const packageProperties = { connectionPoolInfo: { databaseName: 'd', password: 'Tiger-7' } }
  await client.call(saveManifestConfiguration, {
    params: { id: manifest.id },
    body: { packageProperties },
    ifMatch: '*',
  })
  const { packageId } = await client.call(buildManifest, { params: { id: manifest.id }, body: {} })
  return built(client, packageId)
}

let manifests = 0

/** Common steps of package tests, as a designer unless another client is given. */
export function packageCalls(designer: () => ConsoleClient) {
  const build = (id: number, body: BuildBody = {}, client = designer()) =>
    client.call(buildManifest, { params: { id }, body })
  return {
    build,
    async manifestOf(entities: readonly string[] = ['Customer', 'Product'], client = designer()) {
      const body = { manifestName: `Store${++manifests}`, exclusiveEntities: [...entities] }
      return (await client.call(createManifest, { body })).manifest
    },
    async buildIt(id: number, body: BuildBody = {}) {
      const requested = await build(id, body)
      await built(designer(), requested.packageId)
      return requested
    },
    async refusal(id: number, body: BuildBody = {}, client = designer()) {
      const { status, answer } = await client.refusal(buildManifest, { params: { id }, body })
      const { message, code, problems = [], errors = [] } = answer
      return { status, message, code, problems, errors }
    },
    zipOf: (id: number, version: string, includePassword: 'true' | 'false' = 'false') =>
      designer().download(downloadPackage, { params: { id }, query: { version, includePassword } }),
    configure: (id: number, body: object) =>
      designer().call(saveManifestConfiguration, { params: { id }, body, ifMatch: '*' }),
  }
}

export async function packageOf(client: ConsoleClient, id: number): Promise<PackageItem> {
  const { packages } = await client.call(listPackages, {})
  const result = packages.find(item => item.id === id)
  if (result === undefined) throw new Error('There is no such package.')
  return result
}
