import { getPackageStatus, listPackages, type PackageItem } from '@cadmus/model/contract/package'
import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { callApi } from './client.ts'
import { ApiError } from './error.ts'
import type { CallOptions } from './send.ts'

/**
 * Delay of the first status check in milliseconds. Most builds are short: the delay doubles up to the normal
 * interval.
 */
const firstLook = 1000

/** Waits until a package is built. Rejects with the build's ApiError if it failed. */
export async function untilBuilt(packageId: number, signal: AbortSignal): Promise<void> {
  for (let wait = firstLook; ; wait = Math.min(2 * wait, limits.packagePoll)) {
    await pause(wait, signal)
    const input = { query: { packageIds: String(packageId) } }
    const [item] = (await callApi(getPackageStatus, input, { signal })).packages
    if (item?.status === 'SUCCESS') return
    if (item?.status !== 'PROCESSING')
      throw new ApiError(409, { message: item?.reason || messages.packages.buildFailed, code: 'build_failed' })
  }
}

/** Packages built by the organisation, optionally filtered by name. */
export async function builtPackages(options: CallOptions, name = ''): Promise<readonly PackageItem[]> {
  return (await callApi(listPackages, { query: { search: name } }, options)).packages
}

/** Versions of the organisation's package of that name, highest first; empty without such a package. */
export async function builtVersions(name: string, options: CallOptions): Promise<readonly string[]> {
  const items = await builtPackages(options, name)
  return items.find(one => one.name.toLowerCase() === name.toLowerCase())?.versions ?? []
}

/** Resolves after a delay; rejects when the signal aborts. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const timer = setTimeout(done, milliseconds)
    function done() {
      signal.removeEventListener('abort', aborted)
      resolve()
    }
    function aborted() {
      clearTimeout(timer)
      reject(signal.reason)
    }
    signal.addEventListener('abort', aborted, { once: true })
  })
}
