import type { ManifestAnswer } from '@cadmus/model/contract/manifest-shapes'
import { compareTexts } from '@cadmus/model/messages/compare'
import { highestFirst } from '@cadmus/model/version'
import { useMemo } from 'react'
import { type Hosting, useHosting } from '../api/instance-calls.ts'
import { useManifest } from '../api/manifests.ts'
import { type PackageItem, usePackages } from '../api/packages.ts'
import type { ManifestDraft } from './manifest-draft.ts'
import type { SideCode } from './side-code.ts'

const { sides: texts } = compareTexts

export type SideOption = { side: SideCode; label: string; detail?: string; disabled?: string }
/** `label` '' for the first group. `more`: options that are left out. */
export type SideGroup = { label: string; options: readonly SideOption[]; more?: number }

/** Options of a group that are offered; older ones can be named in the address. */
const mostOffered = 50

/** The older versions of a document, newest first. */
export function frozenVersions({
  versions,
  latestVersion,
}: Pick<ManifestAnswer, 'versions' | 'latestVersion'>): string[] {
  return highestFirst(new Set(versions), version => version).filter(version => version !== latestVersion)
}

type Versions = Pick<ManifestAnswer, 'versions' | 'latestVersion'>

/** The states that every document can have. `draftCount`: 0 if there are no unsaved changes. */
export function ownGroups(document: Versions, draftCount: number): SideGroup[] {
  const versions = frozenVersions(document)
  const now: SideOption = { side: { kind: 'now' }, label: texts.now, detail: texts.nowDetail(document.latestVersion) }
  const draft: SideOption = { side: { kind: 'draft' }, label: texts.draft, detail: texts.draftDetail(draftCount) }
  return [
    { label: '', options: draftCount > 0 ? [draft, now] : [now] },
    group(
      texts.versions,
      versions.map(version => ({ side: { kind: 'version', version }, label: version })),
    ),
  ].filter(({ options }) => options.length > 0)
}

function group(label: string, options: readonly SideOption[]): SideGroup {
  return { label, options: options.slice(0, mostOffered), more: Math.max(0, options.length - mostOffered) }
}

/** The states of a manifest that can be compared, by group. */
export function useSideGroups(manifest: ManifestAnswer, draft: ManifestDraft | null | undefined): readonly SideGroup[] {
  const { id, name } = manifest
  const { data } = usePackages({ manifestName: name })
  const { hosting } = useHosting()
  const draftCount = draft?.count ?? 0
  return useMemo(() => {
    const packages = data?.packages.filter(({ manifestId }) => manifestId === id) ?? []
    return [...ownGroups(manifest, draftCount), buildGroup(packages), instanceGroup(packages, hosting)].filter(
      ({ options }) => options.length > 0,
    )
  }, [manifest, draftCount, data, hosting, id])
}

function buildGroup(packages: readonly PackageItem[]): SideGroup {
  const built = packages.flatMap(({ id, name, builds }) =>
    builds
      .filter(({ status }) => status === 'SUCCESS')
      .map(({ version, manifestVersion, askedAt }) => ({ id, name, version, manifestVersion, askedAt })),
  )
  const newest = built.toSorted((one, other) => (one.askedAt < other.askedAt ? 1 : -1))
  return group(
    texts.builds,
    newest.map(({ id, name, version, manifestVersion }) => ({
      side: { kind: 'build', package: id, version },
      label: texts.build(name, version),
      detail: texts.nowDetail(manifestVersion),
    })),
  )
}

/** What instances run, as the builds of these versions. */
export function instanceGroup(packages: readonly PackageItem[], hosting: readonly Hosting[]): SideGroup {
  const running = hosting.flatMap(({ name: instance, packages: hosted = [] }) =>
    hosted.flatMap((one): SideOption[] => {
      const item = packages.find(({ name }) => name === one.name)
      if (!item || 'taken' in one) return []
      const version = one.status === 'STARTED' ? one.versions[0] : one.runningVersion
      if (version === undefined) return []
      const isHere = item.builds.some(build => build.version === version && build.status === 'SUCCESS')
      return [
        {
          side: { kind: 'build', package: item.id, version },
          label: texts.runsOn(instance),
          detail: texts.build(item.name, version),
          ...(isHere ? {} : { disabled: texts.notBuiltHere }),
        },
      ]
    }),
  )
  return group(texts.instances, running)
}

/** The name of a side that is shown. */
export function useSideLabel(side: SideCode, groups: readonly SideGroup[]): string {
  const otherId = side.kind === 'manifest' ? side.manifest : 0
  const other = useManifest(otherId, undefined, otherId > 0).data?.manifest.name
  switch (side.kind) {
    case 'now':
      return texts.now
    case 'draft':
      return texts.draft
    case 'version':
      return side.version
    case 'manifest':
      return [texts.manifest(other ?? String(side.manifest)), side.version ?? ''].join(' ').trim()
    case 'build': {
      const builds = groups.find(({ label }) => label === texts.builds)?.options ?? []
      const option = builds.find(
        ({ side: one }) => one.kind === 'build' && one.package === side.package && one.version === side.version,
      )
      return option?.label ?? texts.unknownBuild(side.version)
    }
  }
}
