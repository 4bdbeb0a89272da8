import { entityQuery, type LoadedEntity } from '../api/entities.ts'
import { type LoadedManifest, manifestQuery } from '../api/manifests.ts'
import { queryClient } from '../api/query-client.ts'
import { isAdministration } from '../api/scope.ts'
import { runByKey } from '../commands/command.ts'
import type { EntityTarget, Named } from '../commands/context.ts'
import { commandsAt, type Place } from '../commands/registry.ts'
import { useAppContext } from '../commands/use-app-context.ts'
import type { MenuEntry } from '../ui/MenuEntries.tsx'
import { useLatest } from '../ui/use-latest.ts'
import { isDefaultPath } from '@cadmus/model/paths'
import { useState } from 'react'
import { cardEntries, commandsOn, comparedEntries, groundEntries } from './card-menu.ts'
import type { DiagramContext } from './diagram-commands.ts'
import { DiagramHands } from './diagram-hands.ts'
import { previewRelationship } from './relate.ts'

export type HandsInput = {
  context: DiagramContext
  /** The manifest shown; null: the entities around one. */
  manifest: Named | null
  /** Why no relationship can be drawn, as in an old version; null if it can. */
  locked: string | null
  /** Of a comparison, whose cards are opened by this name; they have no other commands of entities. */
  openLabel?: string | undefined
}

export type HandsAtWork = {
  hands: DiagramHands
  /** The menu of a card; null: that of the ground. */
  entriesFor: (card: number | null) => MenuEntry[]
}

/** Keys, menus and relationships of a diagram, for its canvas and its list. */
export function useDiagramHands({ context, manifest, locked, openLabel }: HandsInput): HandsAtWork {
  const app = useAppContext()
  const { store, canvas } = context
  const nameOf = (card: number) => store.get().cards.scene.names[card] ?? ''
  const named = (card: number) => ({ id: store.get().cards.ids[card] ?? -1, name: nameOf(card) })
  const targetsOf = (cards: readonly number[]) =>
    cards.map(card => targetOf(named(card), manifest)).filter(({ id }) => id > 0)
  const latest = useLatest({
    props: () => ({ picture: store.get().picture, actions: store, locked }),
    view: () => canvas,
    describe: (from: number, target: number, attribute: string | undefined) =>
      previewRelationship(named(from), named(target), attribute),
    runForEntities: (shortcut: string, card: number | null, chosen: readonly number[]) => {
      if (openLabel !== undefined) return false
      const commands = [...commandsAt(treePlace()), ...commandsAt('row')].filter(one => one.shortcut === shortcut)
      const targets = targetsOf(chosen)
      const [target = targets[0]] = targetsOf(card === null ? [] : [card])
      if (target) runByKey(commandsOn(commands, app, targets), { ...app, target })
      return commands.length > 0
    },
  })
  const [hands] = useState(() => new DiagramHands(latest))

  function entriesFor(card: number | null): MenuEntry[] {
    if (card === null) return groundEntries(context)
    const open = (beside: boolean) => store.open(card, beside)
    if (openLabel !== undefined) return comparedEntries({ context, openLabel, open: () => open(false) })
    const target = targetOf(named(card), manifest)
    const relate = () => hands.startRelating(card)
    const chosen = targetsOf(hands.subjects(card))
    return cardEntries({ context, app, place: treePlace(), target, chosen, locked, relate, open })
  }
  return { hands, entriesFor }
}

function treePlace(): Place {
  return isAdministration() ? 'admin' : 'tree'
}

/** The entity as a row of the tree, as far as it was read. */
function targetOf({ id, name }: Named, manifest: Named | null): EntityTarget {
  const owner = manifest && queryClient.getQueryData<LoadedManifest>(manifestQuery(manifest.id).queryKey)?.manifest
  const member = owner?.entityPaths.find(one => one.id === id)
  const entity = queryClient.getQueryData<LoadedEntity>(entityQuery(id).queryKey)?.entity
  const path = member?.path ?? entity?.path ?? ''
  const isDefault = entity?.isDefault ?? isDefaultPath(path)
  return { kind: 'entity', id, name, path, isDefault, type: member?.type ?? '', manifest: member ? manifest : null }
}
