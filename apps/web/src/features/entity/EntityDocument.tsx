import { ListX, Lock, Settings } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { visibleText } from '@cadmus/model/display'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import { entityDocument } from '@cadmus/model/entity-document'
import { messages } from '@cadmus/model/messages'
import { folderOf, foldName } from '@cadmus/model/paths'
import { useEntity } from '../../api/entities.ts'
import { saveJson } from '../../api/download.ts'
import { readFailure } from '../../api/read-failure.ts'
import { isAdministration } from '../../api/scope.ts'
import { CommandButtons } from '../../commands/CommandButtons.tsx'
import { DocumentFailure } from '../../commands/DocumentFailure.tsx'
import { DocumentLink, openAt, openEntries } from '../../commands/DocumentLink.tsx'
import { DocumentPath } from '../../commands/DocumentPath.tsx'
import { ambiguousFolders } from '../../commands/ambiguous-folders.ts'
import { pressCommand } from '../../commands/command.ts'
import { conflictNote, conflictValue, conflictWords } from '../../commands/entity-words.ts'
import { entriesOf } from '../../commands/entries.ts'
import { explain } from '../../commands/glossary.ts'
import { useCommands } from '../../commands/use-commands.ts'
import { useAppContext } from '../../commands/use-app-context.ts'
import { DraftDeleted } from '../../drafts/DraftDeleted.tsx'
import { DraftProblem } from '../../drafts/DraftProblem.tsx'
import { DraftStatus } from '../../drafts/DraftStatus.tsx'
import { draftKey, readDraftKey } from '../../drafts/draft-key.ts'
import { isSaving } from '../../drafts/open-draft.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { UnreadState } from '../../ui/ErrorState.tsx'
import { FolderPath } from '../../ui/FolderPath.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { type TabItem, Tabs } from '../../ui/Tabs.tsx'
import { Toolbar, ToolbarButton } from '../../ui/Toolbar.tsx'
import { onDemand } from '../../ui/on-demand.ts'
import { typedStore } from '../../ui/typed-text.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import { useWorkbench, workbench } from '../../workbench/page-workbench.ts'
import { AttributeName } from './AttributeName.tsx'
import styles from './EntityDocument.module.css'
import { RelationshipsTable } from './RelationshipsTable.tsx'
import { TypeAttributesTable } from './TypeAttributesTable.tsx'
import {
  entityCommands,
  type EntityContext,
  type EntityTab,
  entityTabs,
  headerCommands,
  saveCommand,
  settingsCommands,
} from './entity-commands.ts'
import { draftPath } from './entity-draft.ts'
import { entityStore } from './entity-store.ts'
import { type EntityView, useEntityView, useViewedVersion, viewVersion } from './entity-view.ts'
import { type Folders, WithFolder } from './related.tsx'
import { useScopes } from './use-scopes.ts'

type Row = { name: string; dataType: string; isPrimaryKey: boolean; declaredBy: EntityReference }

const columnsOf = (folders: Folders): readonly Column<Row>[] => [
  { id: 'name', header: 'Name', cell: row => <AttributeName name={row.name} isKey={row.isPrimaryKey} /> },
  { id: 'type', header: 'Type', cell: row => row.dataType, mono: true, width: '26%' },
  { id: 'from', header: 'From', cell: row => <Declaring row={row} folders={folders} />, width: '36%' },
]

function Declaring({ row: { declaredBy }, folders }: { row: Row; folders: Folders }) {
  if (declaredBy.id < 0) return visibleText(declaredBy.name)
  return (
    <WithFolder folder={folders.get(declaredBy.id)}>
      <DocumentLink document={{ kind: 'entity', ...declaredBy }} inRow>
        {declaredBy.name}
      </DocumentLink>
    </WithFolder>
  )
}

/** Attributes inherited from all ancestors and not redeclared; names compare case-insensitively. */
export function ExtendedAttributes({ view }: { view: EntityView }) {
  const { extendsEntity, typeAttributes, entityAttributes } = view.draft.content
  const parent = useEntity(extendsEntity?.id ?? 0)
  const { entity } = view
  const declaring = parent.data?.entity.resolvedAttributes
  const columns = useMemo(
    () => columnsOf(ambiguousFolders([entity, ...(declaring ?? []).map(row => row.declaredBy)])),
    [entity, declaring],
  )
  if (!extendsEntity) return null
  const readError = readFailure(parent, 'The extended entity could not be read.')
  if (readError) return <UnreadState failure={readError} />
  if (!parent.data) return <Skeleton />
  const own = [...typeAttributes.map(row => row.name), ...entityAttributes.map(row => row.foreignKeyTypeAttribute)]
  const ownNames = new Set(own.map(foldName))
  const rows = (parent.data.entity.resolvedAttributes ?? []).filter(row => !ownNames.has(foldName(row.name)))
  return (
    <div className={styles['tab']}>
      <div className={styles['note']}>
        <Alert kind="info">{messages.prompts.extendedAttributes(extendsEntity.name)}</Alert>
      </div>
      <DataTable
        label="Extended attributes"
        columns={columns}
        rows={rows}
        rowId={row => row.name}
        rowName={row => row.name}
        isPinned={row => row.isPrimaryKey}
        onOpen={({ declaredBy }) => {
          if (declaredBy.id >= 0) openAt({ kind: 'entity', ...declaredBy })
        }}
        entriesFor={({ declaredBy }) => openEntries({ kind: 'entity', ...declaredBy }, `Open ${declaredBy.name}`)}
        empty={<EmptyState icon={ListX} text={messages.empty.typeAttributes} />}
      />
    </div>
  )
}

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
  const hasJson = isAdministration() && app.isAdmin
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

export function EntityDeleted({ view: { key, open } }: { view: EntityView }) {
  const { content, saved } = open.draft
  const document = () => entityDocument(content, { path: saved.path, version: saved.currentVersion })
  return (
    <DraftDeleted at={key} open={open} store={entityStore}>
      <Button variant="primary" busy={isSaving(open)} onClick={() => void entityStore.save(key)}>
        Save as new
      </Button>
      <Button onClick={() => saveJson(content.name, document())}>Export as JSON</Button>
    </DraftDeleted>
  )
}

/** Links to old versions with unsaved changes, which mark the tab although the shown version is unchanged. */
export function UnsavedVersions({ view }: { view: EntityView }) {
  const { key: shown, entity } = view
  const unsaved = useStore(
    entityStore.state,
    useShallow(({ open }) => {
      const versions = [...open].flatMap(([key, { draft }]) => {
        const at = readDraftKey(key)
        const isSameEntity = at !== null && draftKey(at.id, undefined, at.scope) === draftKey(entity.id, undefined)
        const isOther = key !== shown && isSameEntity && draft.changes > 0
        return isOther && at.version !== undefined ? [[at.version, draft.changes] as const] : []
      })
      return new Map(versions)
    }),
  )
  return [...unsaved].map(([version, changes]) => (
    <div key={version} className={styles['unsaved']}>
      <Alert kind="info">
        <span>{messages.unsavedIn(changes, version)}</span>{' '}
        <Button variant="quiet" onClick={() => viewVersion(entity.id, version)}>
          Show {version}
        </Button>
      </Alert>
    </div>
  ))
}
