import { messages } from '@cadmus/model/messages'
import { Lock, Settings } from 'lucide-react'
import { useMemo, useState } from 'react'
import { ApiError } from '../../api/error.ts'
import { CommandButtons } from '../../commands/CommandButtons.tsx'
import { entriesOf } from '../../commands/entries.ts'
import { useCommands } from '../../commands/scope.ts'
import { useAppContext } from '../../commands/use-app-context.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Tabs, type TabItem } from '../../ui/Tabs.tsx'
import { Toolbar, ToolbarButton } from '../../ui/Toolbar.tsx'
import { workbench } from '../../workbench/desk.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import { ConflictAlert } from './ConflictAlert.tsx'
import {
  entityCommands,
  headerCommands,
  settingsCommands,
  type EntityContext,
  type EntityTab,
} from './entity-commands.ts'
import { isDirty } from './entity-draft.ts'
import { saveDraft } from './entity-store.ts'
import { useEntityView, type EntityView } from './entity-view.ts'
import { ExtendedAttributes } from './ExtendedAttributes.tsx'
import { RelationshipsTable } from './RelationshipsTable.tsx'
import { TypeAttributesTable } from './TypeAttributesTable.tsx'
import styles from './EntityDocument.module.css'

/** An open entity: header, toolbar, and its tabs. */
export function EntityDocument({ id }: { id: number }) {
  const { view, error, retry } = useEntityView(id)
  if (error)
    return <ErrorState message={error.message} id={error instanceof ApiError ? error.id : undefined} onRetry={retry} />
  if (!view) return <Skeleton lines={12} />
  return <Loaded view={view} />
}

function Loaded({ view }: { view: EntityView }) {
  const { entity, draft, open, locked } = view
  const [chosen, setChosen] = useState<EntityTab>('attributes')
  const inherits = draft.extendsEntity !== null
  const tab = chosen === 'extended' && !inherits ? 'attributes' : chosen
  const dirty = isDirty(open.draft)
  const app = useAppContext()
  const context = useMemo<EntityContext>(() => ({ view, tab, dirty, app }), [view, tab, dirty, app])
  useCommands(entityCommands, context)

  function choose(next: EntityTab) {
    setChosen(next)
    // What was chosen in the tab before is not what this tab is about.
    workbench.getState().select(tabIdOf({ kind: 'entity', id: entity.id }), null)
  }

  const tabs: TabItem<EntityTab>[] = [
    {
      value: 'attributes',
      label: 'Type Attributes',
      count: draft.typeAttributes.length,
      panel: <TypeAttributesTable view={view} />,
    },
    {
      value: 'relationships',
      label: 'Relationships',
      count: draft.saved.entityAttributes.length,
      panel: <RelationshipsTable view={view} />,
    },
    ...(inherits
      ? [{ value: 'extended' as const, label: 'Extended Attributes', panel: <ExtendedAttributes view={view} /> }]
      : []),
  ]

  return (
    <article className={styles['document']} aria-label={`Entity ${draft.name}`}>
      <header className={styles['header']}>
        <div className={styles['titles']}>
          <h1>{draft.name}</h1>
          {draft.extendsEntity && <span className={styles['extends']}>extends {draft.extendsEntity.name}</span>}
          {draft.description && <p className={styles['description']}>{draft.description}</p>}
        </div>
        {dirty && !locked && (
          <Button variant="primary" busy={open.saving} onClick={() => void saveDraft(entity.id)}>
            Save
          </Button>
        )}
        <Toolbar label="Entity">
          <CommandButtons commands={entityCommands} context={context} />
          <CommandButtons commands={headerCommands} context={context} />
          <Menu
            entries={entriesOf(settingsCommands, context)}
            trigger={<ToolbarButton render={<IconButton label="Settings" icon={Settings} />} />}
          />
        </Toolbar>
      </header>
      {locked && (
        <p className={styles['locked']}>
          <Lock size={14} aria-hidden />
          {locked}
        </p>
      )}
      {(open.conflicts.length > 0 || open.error) && (
        <div className={styles['problem']}>
          {open.conflicts.length > 0 ? (
            <ConflictAlert entityId={entity.id} conflicts={open.conflicts} />
          ) : (
            <Alert>{open.error || messages.failed.saveEntity}</Alert>
          )}
        </div>
      )}
      <Tabs label={`Parts of ${draft.name}`} items={tabs} value={tab} onChange={choose} />
    </article>
  )
}
