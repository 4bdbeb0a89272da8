import type { Configuration } from '@cadmus/model/configuration'
import { namesIn, withNewNames } from '@cadmus/model/configuration-names'
import { configurationEditsBetween } from '@cadmus/model/edits/configuration-edits'
import { foldName } from '@cadmus/model/paths'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { manifestPathsQuery } from '../../api/configurations.ts'
import type { DraftKey } from '../../drafts/draft-key.ts'
import { configurationStore } from './configuration-store.ts'
import type { ConfigurationView } from './configuration-view.ts'

type Entities = readonly { id: number; name: string }[]

/** Follows concurrent renames of entities in names that only the draft holds; the server renames saved ones. */
export function useFollowedNames({ key, manifest: { id }, draft, locked }: ConfigurationView): void {
  const isEnabled = locked === null && draft.changes > 0
  const { data } = useQuery({ ...manifestPathsQuery(id), enabled: isEnabled })
  const last = useRef<{ id: number; entities: Entities } | null>(null)
  useEffect(() => {
    if (!data) return
    const before = last.current?.id === id ? last.current.entities : data.entities
    last.current = { id, entities: data.entities }
    const names = renamed(before, data.entities)
    if (names.size > 0) follow(key, names)
  }, [data, id, key])
}

/** Renamed entities: old folded names to new names, unless another entity now has the old name. */
export function renamed(before: Entities, now: Entities): Map<string, string> {
  const oldNames = new Map(before.map(({ id, name }) => [id, name]))
  const currentNames = new Set(now.map(({ name }) => foldName(name)))
  return new Map(
    now.flatMap(({ id, name }): [string, string][] => {
      const old = oldNames.get(id) ?? name
      return old === name || currentNames.has(foldName(old)) ? [] : [[foldName(old), name]]
    }),
  )
}

function follow(key: DraftKey, names: ReadonlyMap<string, string>): void {
  const open = configurationStore.get(key)
  if (!open || open.draft.changes === 0) return
  const { base, content } = open.draft
  const edits = configurationEditsBetween(content, followed(base, content, names))
  if (edits.length > 0) configurationStore.edit(key, () => edits)
}

/** Applies the renames to names that the base does not hold. */
export function followed(
  base: Configuration,
  content: Configuration,
  names: ReadonlyMap<string, string>,
): Configuration {
  const baseNames = new Set(namesIn(base).map(({ entity }) => foldName(entity)))
  return withNewNames(content, {
    entity: name => (baseNames.has(foldName(name)) ? undefined : names.get(foldName(name))),
    column: () => undefined,
  })
}
