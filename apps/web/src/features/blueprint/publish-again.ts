import type { InstancePackage } from '@cadmus/model/contract/instance'
import { publishTexts } from '@cadmus/model/messages/publish'
import type { UploadState } from '@cadmus/model/package'
import type { Publication, RebuildCheck, StartObstacle } from '../../api/publications.ts'

/** Result of a request: undefined while it runs or before it starts, with its failure or value. */
export type Read<T> = { value: T; failed: false } | { value?: undefined; failed: boolean }

/** `warnings`: null without a preview. `obstacles`: records that prevent a start. */
export type DataPreview = { warnings: readonly string[] | null; obstacles: readonly StartObstacle[] }

/** Everything that decides about publishing. `signIn`: the instance requires credentials that are not entered yet. */
export type Verdict = {
  signIn: boolean
  check: Read<RebuildCheck>
  /** The package on the instance; null if it has none. */
  running: Read<InstancePackage | null>
  /** What the instance says about its data. */
  data: Read<DataPreview>
  /** Typed; null: the proposed one. */
  version: string | null
}

const texts = publishTexts.blocked

/** Reason why the package cannot be published; false if it can. */
export function blockedReason({ signIn, check, running, data, version }: Verdict): string | false {
  if ((check.value?.errors ?? 0) > 0) return texts.errors
  if (signIn) return texts.signIn
  if (check.failed || running.failed || data.failed) return texts.unchecked
  if (check.value === undefined || running.value === undefined || data.value === undefined) return texts.reading
  if (data.value.obstacles.length > 0) return texts.records
  return versionOf(check, version) === '' && texts.version
}

/** The typed version, else the proposed one: a major version if callers break. */
export function versionOf(check: Read<RebuildCheck>, typed: string | null): string {
  return (typed ?? check.value?.suggestion?.version ?? check.value?.version ?? '').trim()
}

/** A package that serves requests is started again. */
export function stateAfter(running: InstancePackage | null): UploadState {
  return running !== null && (running.status === 'STARTED' || running.runningVersion !== undefined)
    ? 'STARTED'
    : 'LOADED'
}

/** Publications of a manifest, or only of one of its packages, newest first. */
export function publicationsOf(
  all: readonly Publication[],
  manifestId: number,
  packageId: number | undefined,
): readonly Publication[] {
  return all.filter(one => one.manifestId === manifestId && (packageId === undefined || one.packageId === packageId))
}

/** Identifies a publication in a list. */
export function keyOf({ packageId, instanceUrl }: Publication): string {
  return `${packageId} ${instanceUrl}`
}
