import type { Enumeration } from '@cadmus/model/enumeration'
import type { CellLookups } from '@cadmus/model/sheet/columns'
import { textsIn } from '@cadmus/model/sheet/paste'
import type { CellBlock } from '@cadmus/model/sheet/write-cells'
import { manifestQuery } from '../api/manifests.ts'
import { queryClient } from '../api/query-client.ts'
import { findTargets } from './named-targets.ts'

/** An entity, or where a new one would be. */
type Origin = { id: number | null; targetManifest: { id: number } | null }

const none: readonly Enumeration[] = []

/** What the texts of a block name, if that is known without a call. */
export function lookupsKnown(block: CellBlock, { targetManifest }: Origin): CellLookups | undefined {
  if (textsIn(block, 'references').length > 0) return undefined
  if (textsIn(block, 'choices').length === 0 || targetManifest === null) return {}
  const loaded = queryClient.getQueryData(manifestQuery(targetManifest.id).queryKey)
  return loaded && { enumerations: loaded.manifest.enumerations }
}

/** What the texts of a block name: targets of references, and enumerations. */
export async function findLookups(block: CellBlock, origin: Origin): Promise<CellLookups> {
  const references = textsIn(block, 'references')
  const [target, enumerations] = await Promise.all([
    references.length > 0 ? findTargets(references, origin) : undefined,
    textsIn(block, 'choices').length > 0 ? findEnumerations(origin) : undefined,
  ])
  return { ...(target && { target }), ...(enumerations && { enumerations }) }
}

/** None if the manifest cannot be read: the texts are lists of choices then. */
export async function findEnumerations({
  targetManifest,
}: Pick<Origin, 'targetManifest'>): Promise<readonly Enumeration[]> {
  if (targetManifest === null) return none
  return queryClient.fetchQuery({ ...manifestQuery(targetManifest.id), staleTime: freshFor }).then(
    ({ manifest }) => manifest.enumerations,
    () => none,
  )
}

/** Milliseconds; the sheet reads the manifest when it opens. */
const freshFor = 60_000
