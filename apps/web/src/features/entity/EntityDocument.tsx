import { foldName, folderOf } from '@cadmus/model/paths'
import { visibleText } from '@cadmus/model/display'
import { Lock, Settings } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import { pressCommand } from '../../commands/command.ts'
import { CommandButtons } from '../../commands/CommandButtons.tsx'
import { entriesOf } from '../../commands/entries.ts'
import { DocumentFailure } from '../../commands/DocumentFailure.tsx'
import { explain } from '../../commands/glossary.ts'
import { DocumentLink } from '../../commands/DocumentLink.tsx'
import { DocumentPath } from '../../commands/DocumentPath.tsx'
import { useCommands } from '../../commands/scope.ts'
import { useAppContext } from '../../commands/use-app-context.ts'
import { Button } from '../../ui/Button.tsx'
import { FolderPath } from '../../ui/FolderPath.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { onDemand } from '../../ui/on-demand.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Tabs, type TabItem } from '../../ui/Tabs.tsx'
import { Toolbar, ToolbarButton } from '../../ui/Toolbar.tsx'
import { typedStore } from '../../ui/typed-text.ts'
import { useWorkbench, workbench } from '../../workbench/page-workbench.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import { isSaving } from '../../drafts/open-draft.ts'
import { DraftProblem } from '../../drafts/DraftProblem.tsx'
import { DraftStatus } from '../../drafts/DraftStatus.tsx'
import { conflictNote, conflictValue, conflictWords } from '../../commands/entity-words.ts'
import {
  entityCommands,
  entityTabs,
  headerCommands,
  saveCommand,
  settingsCommands,
  type EntityContext,
  type EntityTab,
} from './entity-commands.ts'
import { draftPath } from './entity-draft.ts'
import { entityStore } from './entity-store.ts'
import { useEntityView, useViewedVersion, viewVersion, type EntityView } from './entity-view.ts'
import { EntityDeleted } from './EntityDeleted.tsx'
import { ExtendedAttributes } from './ExtendedAttributes.tsx'
import { RelationshipsTable } from './RelationshipsTable.tsx'
import { TypeAttributesTable } from './TypeAttributesTable.tsx'
import { UnsavedVersions } from './UnsavedVersions.tsx'
import { useScopes } from './use-scopes.ts'
import styles from './EntityDocument.module.css'

const { Component: JsonTab } = onDemand(
  () => import('./json/JsonTab.tsx').then(module => module.JsonTab),
  <Skeleton lines={8} />,
)

export function EntityDocument({ id }: { id: number }) {
  const { view, error, retry } = useEntityView(id)
  const isOld = useViewedVersion(id) !== undefined
  const onLatest = isOld ? () => viewVersion(id, undefined) : undefined
  const tabId = tabIdOf({ kind: 'entity', id })
  if (error) return <DocumentFailure tabId={tabId} error={error} onRetry={retry} onLatest={onLatest} />
  if (!view) return <Skeleton lines={12} />
  return <Loaded view={view} />
}

function Loaded({ view }: { view: EntityView }) {
  const { entity, open, locked } = view
  const { content, changes } = view.draft
  const tabId = tabIdOf({ kind: 'entity', id: entity.id })
  const chosen =
    useWorkbench(state => entityTabs.find(candidate => candidate === state.shown.get(tabId)?.tab)) ?? 'attributes'
  const inherits = content.extendsEntity !== null
  const app = useAppContext()
  const hasJson = app.view === 'admin' && app.isAdmin
  const isAvailable = (chosen !== 'extended' || inherits) && (chosen !== 'json' || hasJson)
  const tab = isAvailable ? chosen : 'attributes'
  const dirty = changes > 0
  const typed = useStore(typedStore, ({ fields }) => fields.size > 0)
  const context = useMemo<EntityContext>(() => ({ view, tab, dirty, typed, app }), [view, tab, dirty, typed, app])
  useCommands(entityCommands, context)
  const { name, path, currentVersion, latestVersion } = entity
  useEffect(() => {
    // Keeps the tab title in step with the entity name.
    if (currentVersion === latestVersion) workbench.getState().rename(tabId, name, path)
  }, [tabId, name, path, currentVersion, latestVersion])

  function choose(next: EntityTab) {
    workbench.getState().show(tabId, { tab: next === 'attributes' ? undefined : next })
    // The selection belongs to the tab that was left.
    workbench.getState().select(tabId, null)
  }

  const tabs: TabItem<EntityTab>[] = [
    {
      value: 'attributes',
      label: 'Type Attributes',
      hint: explain('Type Attributes'),
      count: content.typeAttributes.length,
      panel: <TypeAttributesTable view={view} />,
    },
    {
      value: 'relationships',
      label: 'Relationships',
      hint: explain('Relationships'),
      count: content.entityAttributes.length,
      panel: <RelationshipsTable view={view} />,
    },
    ...(inherits
      ? [
          {
            value: 'extended' as const,
            label: 'Extended Attributes',
            hint: explain('Extended Attributes'),
            panel: <ExtendedAttributes view={view} />,
          },
        ]
      : []),
    ...(hasJson
      ? [{ value: 'json' as const, label: 'Json', panel: <JsonTab key={view.key} context={context} /> }]
      : []),
  ]

  return (
    <article className={styles['document']} aria-label={`Entity ${visibleText(content.name)}`}>
      <header className={styles['header']}>
        <div className={styles['titles']}>
          <h1>{visibleText(content.name)}</h1>
          {content.extendsEntity && (
            <span className={styles['extends']}>
              extends{' '}
              {content.extendsEntity.id < 0 ? (
                visibleText(content.extendsEntity.name)
              ) : (
                <DocumentLink document={{ kind: 'entity', ...content.extendsEntity }}>
                  {content.extendsEntity.name}
                </DocumentLink>
              )}
              {/* The folder distinguishes a parent of the same name. */}
              {content.extendsEntity.path && foldName(content.extendsEntity.name) === foldName(content.name) && (
                <FolderPath folder={` ${folderOf(content.extendsEntity.path)}`} />
              )}
            </span>
          )}
          <DocumentPath
            path={draftPath(view.draft)}
            version={currentVersion}
            latest={latestVersion}
            onLatest={() => viewVersion(entity.id, undefined)}
          />
          {content.description && (
            <p className={styles['description']}>{visibleText(content.description, { lines: true })}</p>
          )}
        </div>
        {dirty && view.saveLocked === null && open.state !== 'deleted' && (
          <Button variant="primary" busy={isSaving(open)} onClick={() => pressCommand(saveCommand, context)}>
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
      {locked && open.state !== 'deleted' && (
        <p className={styles['locked']}>
          <Lock size={14} aria-hidden />
          <span>
            <span>{locked}</span> <ScopesNote id={entity.id} />
          </span>
        </p>
      )}
      <UnsavedVersions view={view} />
      <EntityDeleted view={view} />
      <DraftStatus at={view.key} open={open} store={entityStore} />
      <DraftProblem
        at={view.key}
        open={open}
        store={entityStore}
        words={conflictWords}
        value={conflictValue}
        note={conflictNote}
      />
      <Tabs label={`Parts of ${visibleText(content.name)}`} items={tabs} value={tab} onChange={choose} />
    </article>
  )
}

/** Scopes of a locked entity are editable if any can be assigned. */
function ScopesNote({ id }: { id: number }) {
  return useScopes(id).scopes.length > 0 && <span>Its scopes can still be set.</span>
}
