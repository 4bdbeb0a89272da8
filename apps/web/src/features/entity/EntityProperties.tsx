import { useQuery } from '@tanstack/react-query'
import { memo, useDeferredValue, useMemo, useState, type FocusEvent } from 'react'
import { flushSync } from 'react-dom'
import { referencesQuery } from '../../api/entities.ts'
import { readFailure } from '../../api/read-failure.ts'
import { useWorkbench } from '../../workbench/page-workbench.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import type { Selection } from '../../workbench/workbench.ts'
import { PropertyTable, type PropertyGroup } from '../../ui/PropertyTable.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { attributeProperties } from './attribute-properties.ts'
import { entityProperties } from './entity-properties.ts'
import { relationshipProperties } from './relationship-properties.ts'
import { useEntityView, type EntityView } from './entity-view.ts'
import { referenceGroup, maxReferences, referencesError } from './related.tsx'
import { useScopes } from './use-scopes.ts'
import { useTargets, type Targets } from './use-targets.ts'
import styles from './Entity.module.css'

export function EntityProperties({ id }: { id: number }) {
  const { view, error } = useEntityView(id)
  // The document shows the error.
  if (!view && error) return null
  if (!view) return <Skeleton lines={8} />
  return <Loaded key={id} view={view} />
}

/** Memoised: independent of the selection. */
const Loaded = memo(function Loaded({ view }: { view: EntityView }) {
  const { id } = view.entity
  const offered = useScopes(id)
  const references = useQuery(referencesQuery('entity', id, maxReferences))
  const own = useMemo(() => entityProperties(view, offered), [view, offered])
  const { data } = references
  const readError = readFailure(references, 'The references could not be read.')
  const referring = useMemo(() => data && referenceGroup(data, view.entity), [data, view.entity])
  const groups = useMemo(() => [own, ...(referring ? [referring] : [])], [own, referring])
  const shown = readError ? [...groups, referencesError(readError)] : groups
  return <WithChosen view={view} groups={shown} />
})

type WithChosenProps = { view: EntityView; groups: readonly PropertyGroup[] }

function WithChosen({ view, groups }: WithChosenProps) {
  const { selection, handlers } = useLateSelection(view.entity.id)
  return (
    <div className={styles['late']} {...handlers}>
      <Groups view={view} groups={groups} selection={selection} />
    </div>
  )
}

/**
 * Defers the selection, so that a held arrow key stays responsive. Shows the current selection when the panel gets the
 * focus.
 */
function useLateSelection(id: number) {
  const now = useWorkbench(state => state.selections.get(tabIdOf({ kind: 'entity', id })))
  const deferred = useDeferredValue(now)
  const [inside, setInside] = useState(false)
  const selection = inside ? now : deferred
  const catchUp = () => flushSync(() => setInside(true))
  const handlers = {
    onPointerDownCapture: () => selection !== now && catchUp(),
    onFocusCapture: () => (selection === now ? setInside(true) : catchUp()),
    onBlurCapture: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setInside(false)
    },
  }
  return { selection, handlers }
}

type GroupsProps = WithChosenProps & { selection: Selection | undefined }

const Groups = memo(function Groups({ view, groups, selection }: GroupsProps) {
  // The last selected relationship; for attributes only a single selection.
  const uid = selection?.kind === 'entityAttribute' || selection?.uids.length === 1 ? selection.uids.at(-1) : undefined
  const targets = useTargets(associatedOf(view, selection?.kind, uid))
  const chosen = uid === undefined ? null : chosenGroup(view, selection?.kind, uid, targets)
  return <PropertyTable groups={chosen ? [chosen, ...groups] : groups} locked={view.locked} />
})

function chosenGroup(view: EntityView, kind: string | undefined, uid: string, targets: Targets): PropertyGroup | null {
  const group = kind === 'typeAttribute' ? attributeProperties(view, uid) : relationshipProperties(view, uid, targets)
  return group && { ...group, subject: uid }
}

function associatedOf(view: EntityView, kind: string | undefined, uid: string | undefined): number | null {
  if (kind !== 'entityAttribute') return null
  const chosen = view.draft.content.entityAttributes.find(row => row.uid === uid)
  return chosen && chosen.associatedEntity.id >= 0 ? chosen.associatedEntity.id : null
}
