import type { Comparison, ComparedChange } from '@cadmus/model/contract/comparison'
import { compareEntities } from '@cadmus/model/compare'
import { compareTexts as texts } from '@cadmus/model/messages/compare'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { comparedEntityQuery, comparisonQuery, type ComparedSides } from '../api/comparison.ts'
import * as configurationWords from '../commands/configuration-words.ts'
import { conflictValue, conflictWords } from '../commands/entity-words.ts'
import { type AlignedEntity, alignEntity, type Point } from './aligned.ts'
import type { ChangeItem, OwnId } from './change-list.ts'

/** What differs. The former answer is shown until the next one is read. */
export function useComparison(sides: ComparedSides) {
  return useQuery({ ...comparisonQuery(sides), placeholderData: keepPreviousData })
}

/** The contents of the shown entity, aligned; of a line of the manifest itself its fields. */
export function useShownItem(sides: ComparedSides, comparison: Comparison | undefined, item: ChangeItem | null) {
  const { entity = null } = item ?? {}
  const uid = entity?.uid ?? ''
  const query = useQuery({
    ...comparedEntityQuery(sides, uid),
    enabled: entity !== null,
    // Contents of another entity are not shown.
    placeholderData: (data, former) => (former?.queryKey.at(-1) === uid ? data : undefined),
  })
  const contents = query.data
  const aligned = useMemo(() => {
    if (!item || !comparison) return null
    if (!entity) return ownItem(item.id, comparison)
    return contents ? withPlace(alignEntity(contents), item) : null
  }, [item, entity, comparison, contents])
  const changes = useMemo((): readonly ComparedChange[] => {
    const { before, after } = contents ?? {}
    return before && after ? compareEntities(before, after) : []
  }, [contents])
  return { ...query, contents, aligned, changes }
}

/** Adds what the contents do not show: that the entity is on one side only, or listed by another manifest. */
function withPlace(aligned: AlignedEntity, { label, entity }: ChangeItem): AlignedEntity {
  const { before, after } = entity ?? {}
  const base = { changes: [], row: null }
  const place: Point[] = []
  if (before === null || after === null) {
    const kind = before === null ? 'added' : 'removed'
    const sides = { before: before ? label : texts.missing, after: after ? label : texts.missing }
    place.push({ ...base, key: entityPoint, label: texts.point(texts.of(label), texts.kinds[kind]), ...sides })
  } else if (before && after && before.manifest !== after.manifest) {
    const sides = { before: listedIn(before.manifest), after: listedIn(after.manifest) }
    place.push({ ...base, key: placePoint, label: texts.point(texts.of(label), texts.kinds.moved), ...sides })
  }
  if (place.length === 0) return aligned
  return { ...aligned, fields: [...place, ...aligned.fields], points: [...place, ...aligned.points] }
}

/** Keys of the differences that the contents of an entity do not show. */
export const entityPoint = 'entity'
const placePoint = 'place'

function listedIn(manifest: string): string {
  return manifest === '' ? texts.list.outside : manifest
}

function ownItem(id: string, comparison: Comparison): AlignedEntity {
  const fields = ownPoints[id as OwnId]?.(comparison) ?? []
  return { rows: [], columns: [], fields, points: fields }
}

const ownPoints: Record<OwnId, (comparison: Comparison) => Point[]> = {
  manifest: ({ manifest }) =>
    manifest.map(({ path, field, before, after }) => ({
      ...ofManifest(`${path} ${field}`),
      label: conflictWords({ path, field }),
      before: conflictValue({ path, field }, before),
      after: conflictValue({ path, field }, after),
    })),
  subManifests: ({ subManifests }) =>
    subManifests.map(({ uid, kind, before, after }) => ({
      ...ofManifest(uid),
      label: texts.point(kind === 'removed' ? before : after, texts.kinds[kind]),
      before: kind === 'added' ? texts.missing : before,
      after: kind === 'removed' ? texts.missing : after,
    })),
  configuration: ({ configuration }) =>
    configuration.map(({ path, field, before, after }) => ({
      ...ofManifest(`${path} ${field}`),
      label: configurationWords.conflictWords({ path, field }),
      before: configurationWords.conflictValue({ path, field }, before),
      after: configurationWords.conflictValue({ path, field }, after),
    })),
}

function ofManifest(key: string): Pick<Point, 'key' | 'changes' | 'row'> {
  return { key, changes: [], row: null }
}
