import { ListX } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { visibleText } from '@cadmus/model/display'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import { entityDocument } from '@cadmus/model/entity-document'
import { messages } from '@cadmus/model/messages'
import { compareTexts } from '@cadmus/model/messages/compare'
import { handTexts } from '@cadmus/model/messages/diagram-hands'
import { folderOf, foldName } from '@cadmus/model/paths'
import { useEntity } from '../../api/entities.ts'
import { saveJson } from '../../api/download.ts'
import { readFailure } from '../../api/read-failure.ts'
import { isAdministration } from '../../api/scope.ts'
import { CommandBar } from '../../commands/CommandBar.tsx'
import { DocumentFailure } from '../../commands/DocumentFailure.tsx'
import { DocumentLink, openAt, openEntries } from '../../commands/DocumentLink.tsx'
import { DocumentDescription, DocumentHeader, LockedNote } from '../../commands/DocumentHeader.tsx'
import { ambiguousFolders } from '../../commands/ambiguous-folders.ts'
import { conflictNote, conflictValue, conflictWords } from '../../commands/entity-words.ts'
import { Beside } from '../../commands/SidePanel.tsx'
import { sidePanel } from '../../commands/side-panel.ts'
import { explain } from '../../commands/glossary.ts'
import { useCommands } from '../../commands/use-commands.ts'
import { useAppContext } from '../../commands/use-app-context.ts'
import { DraftDeleted } from '../../drafts/DraftDeleted.tsx'
import { DraftProblem } from '../../drafts/DraftProblem.tsx'
import { DraftStatus } from '../../drafts/DraftStatus.tsx'
import { useSavedSteps } from '../../drafts/draft-commands.ts'
import { draftKey, readDraftKey } from '../../drafts/draft-key.ts'
import { isSaving } from '../../drafts/open-draft.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { UnreadState } from '../../ui/ErrorState.tsx'
import { FolderPath } from '../../ui/FolderPath.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { type TabItem, Tabs } from '../../ui/Tabs.tsx'
import { fittedColumn } from '../../ui/text-width.ts'
import { onDemand } from '../../ui/on-demand.ts'
import { typedStore } from '../../ui/typed-text.ts'
import { compareTab } from '../../workbench/address.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import { useWorkbench, workbench } from '../../workbench/page-workbench.ts'
import { AttributeName } from './AttributeName.tsx'
import { chosenContext, columnCommands } from './column-commands.ts'
import { chosenFieldCommands } from './EntityProperties.tsx'
import styles from './EntityDocument.module.css'
import { RelationshipsTable } from './RelationshipsTable.tsx'
import { useCellTurns } from './cell-history.ts'
import {
  entityCommands,
  type EntityContext,
  type EntityTab,
  entityTabs,
  labelledCommands,
  saveCommand,
  toolbarCommands,
} from './entity-commands.ts'
import { draftPath } from '../../drafts/entity-draft.ts'
import { entityStore } from '../../drafts/entity-store.ts'
import { type EntityView, useEntityView, useViewedVersion, viewVersion } from './entity-view.ts'
import { type Folders, WithFolder } from './related.tsx'
import { inheritedAttributes } from './inherited.ts'
import { useScopes } from './use-scopes.ts'

const { Component: ImpactNote } = onDemand<{ view: EntityView }>(
  () => import('./ImpactNote.tsx').then(module => module.ImpactNote),
  null,
)

/** The sheet is a chunk of its own. */
const { Component: AttributeSheet } = onDemand<{ view: EntityView }>(
  () => import('./AttributeSheet.tsx').then(module => module.AttributeSheet),
  <Skeleton />,
)

type Row = { name: string; dataType: string; isPrimaryKey: boolean; declaredBy: EntityReference }

/** Pixels of the mark of the key. */
const keyWidth = 20

const columnsOf = (rows: readonly Row[], folders: Folders): readonly Column<Row>[] => [
  {
    id: 'name',
    header: 'Name',
    width: fittedColumn(
      'Name',
      rows.map(row => row.name),
      { beside: keyWidth },
    ),
    cell: row => <AttributeName name={row.name} isKey={row.isPrimaryKey} />,
  },
  {
    id: 'type',
    header: 'Type',
    width: fittedColumn(
      'Type',
      rows.map(row => row.dataType),
      { mono: true },
    ),
    cell: row => row.dataType,
    mono: true,
  },
  { id: 'from', header: 'From', cell: row => <Declaring row={row} folders={folders} /> },
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

export function ExtendedAttributes({ view }: { view: EntityView }) {
  const { extendsEntity } = view.draft.content
  const parent = useEntity(extendsEntity?.id ?? 0)
  const { entity } = view
  const { content } = view.draft
  const inherited = useMemo(
    () => (parent.data ? inheritedAttributes(parent.data.entity, content) : []),
    [parent.data, content],
  )
  const declaring = parent.data?.entity.resolvedAttributes
  const columns = useMemo(
    () => columnsOf(inherited, ambiguousFolders([entity, ...(declaring ?? []).map(row => row.declaredBy)])),
    [inherited, entity, declaring],
  )
  if (!extendsEntity) return null
  const readError = readFailure(parent, 'The extended entity could not be read.')
  if (readError) return <UnreadState failure={readError} />
  if (!parent.data) return <Skeleton />
  return (
    <div className={styles['tab']}>
      <div className={styles['note']}>
        <Alert kind="info">{messages.prompts.extendedAttributes(extendsEntity.name)}</Alert>
      </div>
      <DataTable
        label="Extended attributes"
        columns={columns}
        rows={inherited}
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

const { Component: EntityDiagram } = onDemand(
  () => import('../../diagram/EntityDiagram.tsx').then(module => module.EntityDiagram),
  <Skeleton lines={8} />,
)

const { Component: TextPane } = onDemand(
  () => import('../../text/TextPane.tsx').then(module => module.TextPane),
  <Skeleton lines={8} />,
)

const { Component: JsonTab } = onDemand(
  () => import('./json/JsonTab.tsx').then(module => module.JsonTab),
  <Skeleton lines={8} />,
)

const { Component: EntityComparePane } = onDemand(
  () => import('../../compare/EntityComparePane.tsx').then(module => module.EntityComparePane),
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
  const panel = useSidePanel(view)
  const app = useAppContext()
  const hasJson = isAdministration() && app.isAdmin
  const isAvailable = (chosen !== 'extended' || inherits) && (chosen !== 'json' || hasJson)
  const tab = isAvailable ? chosen : 'attributes'
  const dirty = changes > 0
  const typed = useStore(typedStore, ({ fields }) => fields.size > 0)
  const { undo, redo } = useCellTurns(view.key)
  const savedSteps = useSavedSteps(entityStore, view.key, view)
  const context = useMemo<EntityContext>(
    () => ({ view, tab, dirty, typed, app, savedSteps, turns: { undo, redo } }),
    [view, tab, dirty, typed, app, savedSteps, undo, redo],
  )
  useCommands(entityCommands, context)
  const chosenRows = useMemo(() => chosenContext(view), [view])
  useCommands(columnCommands, chosenRows)
  const fieldCommands = useCallback(() => chosenFieldCommands(view), [view])
  useCommands(fieldCommands, context)
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
      panel: <AttributeSheet key={view.key} view={view} />,
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
    {
      value: compareTab,
      label: compareTexts.tab,
      disabled: open.state === 'deleted' && messages.deleted.locked,
      panel: <EntityComparePane key={entity.id} entity={entity} />,
    },
  ]

  return (
    <article className={styles['document']} aria-label={`Entity ${visibleText(content.name)}`}>
      <DocumentHeader
        name={content.name}
        document={{ kind: 'entity', id: entity.id }}
        note={
          <>
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
            {dirty && <ImpactNote view={view} />}
          </>
        }
        path={draftPath(view.draft)}
        version={currentVersion}
        latest={latestVersion}
        onLatest={() => viewVersion(entity.id, undefined)}
        details={content.description && <DocumentDescription>{content.description}</DocumentDescription>}
      >
        <CommandBar
          label="Entity"
          commands={toolbarCommands}
          context={context}
          primary={context.dirty || context.typed ? [saveCommand.id] : []}
          labelled={labelledCommands}
        />
      </DocumentHeader>
      {locked && open.state !== 'deleted' && (
        <LockedNote>
          <span>
            <span>{locked}</span> <ScopesNote id={entity.id} />
          </span>
        </LockedNote>
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
      <Beside label={handTexts.around.width} panel={panel}>
        <Tabs label={`Parts of ${visibleText(content.name)}`} items={tabs} value={tab} onChange={choose} />
      </Beside>
    </article>
  )
}

/** What is beside the parts of the entity. An old version has no diagram. */
function useSidePanel({ entity, locked, open }: EntityView): ReactNode {
  const kind = useStore(sidePanel, panel => panel.entity)
  if (kind === null || open.state === 'deleted') return null
  if (kind === 'text')
    return <TextPane key={`${entity.id} ${entity.currentVersion}`} of={{ kind: 'entity', entity, locked }} />
  return entity.currentVersion === entity.latestVersion ? <EntityDiagram entity={entity} /> : null
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
