import { createManifest } from '@cadmus/model/contract/manifest'
import { saveManifestConfiguration } from '@cadmus/model/contract/manifest-configuration'
import { buildManifest, getPackageStatus, listPackages, type PackageItem } from '@cadmus/model/contract/package'
import { setTimeout as wait } from 'node:timers/promises'
import type { ConsoleClient } from './client.ts'

/** Waits until nothing of a package is being built; answers how its last build ended, with the reason. */
export async function ended(client: ConsoleClient, packageId: number): Promise<{ status: string; reason: string }> {
  const until = performance.now() + 40_000
  for (;;) {
    const query = { packageIds: String(packageId) }
    const [found] = (await client.call(getPackageStatus, { query })).packages
    if (found === undefined) throw new Error('There is no such package.')
    const { status, reason } = found
    if (status !== 'PROCESSING') return { status, reason }
    if (performance.now() > until) throw new Error('The package is still being built.')
    await wait(100)
  }
}

/** Throws with the reason where a build failed. */
export async function built(client: ConsoleClient, packageId: number): Promise<PackageItem> {
  const { status, reason } = await ended(client, packageId)
  if (status !== 'SUCCESS') throw new Error(`The package was not built: ${reason}`)
  return packageOf(client, packageId)
}

/** One of a manifest whose configuration has a password, ready to be uploaded. */
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

export async function packageOf(client: ConsoleClient, id: number): Promise<PackageItem> {
  const { packages } = await client.call(listPackages, {})
  const found = packages.find(item => item.id === id)
  if (found === undefined) throw new Error('There is no such package.')
  return found
}
