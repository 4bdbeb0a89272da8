import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import type { UploadState } from '@cadmus/model/package'
import { setTimeout as wait } from 'node:timers/promises'
import type { PackageOwner } from '../commands/package/package-owner.ts'
import { ApiError } from '../errors/api-error.ts'
import { failed, InstanceClient, type RemotePackage } from './instance-client.ts'
import type { InstanceTarget } from './instance-target.ts'

export type Upload = {
  name: string
  version: string
  state: UploadState
  /** Whether tables may lose columns or data of the previous version. */
  allowDataLoss: boolean
  /** Digest of the confirmed list of losses, if the instance sent one. */
  lossDigest: string | undefined
  zip: Uint8Array
}

/** `warnings`: messages of the instance, such as the location of the data, or why a loaded package would not start. */
export type Uploaded = { status: UploadState; warnings: readonly string[] }

const texts = messages.packages.instance
const pollInterval = 250
const slowPollInterval = 1000

/** Throws if the package of this name belongs to another organisation: not every instance checks the owner. */
export async function requireOwnName(target: InstanceTarget, name: string, owner: PackageOwner): Promise<void> {
  const client = new InstanceClient(target)
  const remotePackage = target.shared ? await client.package(name) : undefined
  if (remotePackage !== undefined && !client.isOwn(remotePackage, owner)) throw failed(texts.taken(name, target.name))
}

/**
 * Uploads a package and waits until the instance reports this version in the requested state. Throws an ApiError if it
 * cannot be loaded or started, with the instance's reason and, for data loss, its steps, or after a timeout.
 */
export async function uploadTo(
  target: InstanceTarget,
  upload: Upload,
  owner: PackageOwner,
  signal: AbortSignal,
): Promise<Uploaded> {
  const { name } = upload
  const client = new InstanceClient(target)
  await client.upload(upload)
  const started = performance.now()
  for (let elapsed = 0; elapsed < limits.uploadSeconds * 1000; elapsed = performance.now() - started) {
    const remotePackage = await client.package(name)
    // After a 504 the package may still be the previous one.
    if (remotePackage !== undefined && !client.isOwn(remotePackage, owner)) throw failed(texts.taken(name, target.name))
    const reached = reachedState(upload, remotePackage)
    if (reached !== undefined) return reached
    await wait(elapsed < 5000 ? pollInterval : slowPollInterval)
    signal.throwIfAborted()
  }
  throw failed(texts.tooLong(name))
}

/** Undefined while the upload is in progress or another version is still loaded. */
function reachedState(upload: Upload, remotePackage: RemotePackage | undefined): Uploaded | undefined {
  const { version, state } = upload
  if (remotePackage === undefined || (remotePackage.version !== '' && remotePackage.version !== version))
    return undefined
  if (remotePackage.status === 'LOAD_FAILED' || remotePackage.status === 'START_FAILED')
    throw notRunning(upload, remotePackage)
  const isThere = remotePackage.status === state || (remotePackage.status === 'STARTED' && state === 'LOADED')
  return isThere ? { status: state, warnings: remotePackage.warnings } : undefined
}

function notRunning({ name, version }: Upload, remotePackage: RemotePackage) {
  const { status, reason, steps, stepCount, lossDigest, runningVersion } = remotePackage
  if (!steps.some(({ grade }) => grade === 'losesData'))
    return failed(texts.notRunning(name, reason === '' ? status : reason))
  const schema = {
    steps,
    count: Math.max(stepCount, steps.length),
    ...(lossDigest === undefined ? {} : { lossDigest }),
  }
  return new ApiError(409, 'instance_loses_data', texts.losesData(name, version, runningVersion), { schema })
}
