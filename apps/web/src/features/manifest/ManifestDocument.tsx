import {
  Database,
  Download,
  FileCode,
  FolderTree,
  History,
  ListOrdered,
  ListRestart,
  PackageCheck,
  PencilLine,
  Plus,
  RotateCw,
  SlidersVertical,
  TableProperties,
  Trash2,
} from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { ManifestAnswer } from '@cadmus/model/contract/manifest-shapes'
import { visibleText } from '@cadmus/model/display'
import {
  type ManifestState,
  mayDeleteManifest,
  mayEditManifest,
  mayExportManifest,
  mayManageManifestVersions,
  type Verdict,
} from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import { compareTexts } from '@cadmus/model/messages/compare'
import { enumerationTexts } from '@cadmus/model/messages/enumerations'
import { liveProblemTexts } from '@cadmus/model/messages/problems'
import { firstTexts } from '@cadmus/model/messages/first-load'
import { paneTexts } from '@cadmus/model/messages/text-pane'
import { useManifest } from '../../api/manifests.ts'
import { useProblemCounts } from '../../api/problems.ts'
import { ownSettings, storeOwnSettings } from '../../api/own-settings.ts'
import { currentScope } from '../../api/scope.ts'
import { CommandBar } from '../../commands/CommandBar.tsx'
import { DocumentFailure } from '../../commands/DocumentFailure.tsx'
import { DocumentHeader, LockedNote } from '../../commands/DocumentHeader.tsx'
import { openAt } from '../../commands/DocumentLink.tsx'
import { type Command, isVisible } from '../../commands/command.ts'
import type { AppContext } from '../../commands/context.ts'
import { deleteManifestAfterQuestion, type ManifestDeletion } from '../../commands/deletion.ts'
import { dropEntity, mayDrop, type Receiver } from '../../commands/entity-drop.ts'
import { entriesOf } from '../../commands/entries.ts'
import { Beside } from '../../commands/SidePanel.tsx'
import { sidePanel, toggleText } from '../../commands/side-panel.ts'
import { commandById, commandsAt } from '../../commands/registry.ts'
import { useCommands } from '../../commands/use-commands.ts'
import { useAppContext } from '../../commands/use-app-context.ts'
import { openManifestHistory } from '../../drafts/history.ts'
import { problemsTab } from '../../problems/problems-tab.ts'
import { takePastedIn, useTextPaste } from '../../text/use-text-paste.ts'
import { Button } from '../../ui/Button.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { type TabItem, Tabs } from '../../ui/Tabs.tsx'
import { ToolbarButton } from '../../ui/Toolbar.tsx'
import { onDemand } from '../../ui/on-demand.ts'
import { attachTreeDrag } from '../../ui/tree-drag.ts'
import { compareTab } from '../../workbench/address.ts'
import { type TabId, tabIdOf } from '../../workbench/documents.ts'
import { useWorkbench, workbench } from '../../workbench/page-workbench.ts'
import { PasteSteps, useListPaste } from './list-paste.ts'
import styles from './ManifestDocument.module.css'
import { Members } from './Members.tsx'
import { ManifestSteps, type StepContext, stepCommands } from './step-commands.ts'
import { UnsavedEntities } from './UnsavedEntities.tsx'
import { useViewedManifestVersion, viewManifestVersion } from './viewed-version.ts'

const enumerationsTab = 'enumerations'
const manifestTabs = ['diagram', 'entities', enumerationsTab, problemsTab, 'scopes', compareTab] as const
type ManifestTab = (typeof manifestTabs)[number]

/** The diagram is a chunk of its own. */
const { Component: DiagramPane } = onDemand(
  () => import('../../diagram/DiagramPane.tsx').then(module => module.DiagramPane),
  <Skeleton lines={8} />,
)

/** Enumerations are a chunk of their own. */
const { Component: EnumerationsPane } = onDemand(
  () => import('./EnumerationsPane.tsx').then(module => module.EnumerationsPane),
  <Skeleton lines={8} />,
)

/** Problems are a chunk of their own. */
const { Component: ProblemsPane } = onDemand(
  () => import('../../problems/ProblemsPane.tsx').then(module => module.ProblemsPane),
  <Skeleton lines={8} />,
)

/** Comparisons are a chunk of their own. */
const { Component: ComparePane } = onDemand(
  () => import('../../compare/ComparePane.tsx').then(module => module.ComparePane),
  <Skeleton lines={8} />,
)

/** The text is a chunk of its own. */
const { Component: TextPane } = onDemand(
  () => import('../../text/TextPane.tsx').then(module => module.TextPane),
  <Skeleton lines={8} />,
)

/** The scope matrix is a chunk of its own. */
const { Component: ScopesPane } = onDemand(
  () => import('../../scopes/ScopesPane.tsx').then(module => module.ScopesPane),
  <Skeleton lines={8} />,
)

/** Whether packages were built from the manifest is known later than the manifest. */
const { Component: ManifestRuns } = onDemand(() =>
  import('../../hosting/ManifestRuns.tsx').then(module => module.ManifestRuns),
)

export type ManifestContext = StepContext & {
  manifest: ManifestState & { id: number; name: string; path: string }
  app: AppContext
}

/** Toolbar of a manifest document. Commands shared with the tree are run for this manifest. */
export const manifestCommands: readonly Command<ManifestContext>[] = [
  {
    id: 'manifest.manageEntity',
    label: 'Manage Entity',
    icon: TableProperties,
    disabled: ({ manifest }) => reasonOf(mayEditManifest(manifest)),
    run: context => runFor('manifest.addEntity', context),
  },
  {
    id: 'manifest.addSubManifest',
    label: 'Add Sub-Manifest',
    icon: FolderTree,
    disabled: ({ manifest }) => reasonOf(mayEditManifest(manifest)),
    run: context => runFor('manifest.addSubManifest', context),
  },
  {
    id: 'manifest.enumerations',
    label: enumerationTexts.tab,
    icon: ListOrdered,
    run: ({ manifest: { id, name } }) => openAt({ kind: 'manifest', id, name }, { tab: enumerationsTab }),
  },
  {
    id: 'manifest.versions',
    label: 'Manage Versions',
    icon: History,
    disabled: ({ manifest }) => reasonOf(mayManageManifestVersions(manifest)),
    run: context => runFor('versions.manage', context),
  },
  ...stepCommands,
  {
    id: 'manifest.history',
    label: 'History',
    icon: ListRestart,
    shortcut: 'mod+alt+z',
    run: ({ manifest }) => openManifestHistory(manifest, currentScope()),
  },
  {
    id: 'manifest.configure',
    label: 'Configure',
    fullLabel: 'Configure manifest',
    icon: SlidersVertical,
    run: context => runFor('manifest.configure', context),
  },
  {
    id: 'manifest.text',
    label: () => (sidePanel.getState().manifest === 'text' ? paneTexts.hide : firstTexts.showAsText),
    icon: FileCode,
    shortcut: 'alt+t',
    run: () => toggleText('manifest'),
  },
  {
    id: 'manifest.rename',
    label: 'Rename',
    fullLabel: 'Rename manifest',
    icon: PencilLine,
    shortcut: 'f2',
    disabled: ({ manifest }) => reasonOf(mayEditManifest(manifest)),
    run: context => runFor('manifest.rename', context),
  },
  {
    id: 'manifest.export',
    label: 'Generate Database Schema',
    icon: Database,
    disabled: ({ manifest }) => reasonOf(mayExportManifest(manifest)),
    run: context => runFor('manifest.export.schema', context),
  },
  {
    id: 'manifest.publishAgain',
    label: 'Publish Again',
    icon: RotateCw,
    shortcut: 'alt+p',
    visible: isPublished,
    run: context => runFor('manifest.publishAgain', context),
  },
  {
    id: 'manifest.delete',
    label: 'Delete Manifest',
    icon: Trash2,
    group: 'delete',
    danger: true,
    disabled: ({ manifest }) => reasonOf(mayDeleteManifest(manifest)),
    run: ({ manifest }) => deleteManifestAfterQuestion(manifest, documentTexts),
  },
]

/** Commands with a button, besides Publish Again; the palette has them for all manifests. */
const headCommands: readonly Command<ManifestContext>[] = [
  {
    id: 'manifest.build',
    label: 'Build Package',
    icon: PackageCheck,
    shortcut: 'alt+p',
    onlySearched: true,
    // Which of both it is, is known with the publications.
    visible: context => context.app.published !== undefined && !isPublished(context),
    disabled: ({ manifest }) => reasonOf(mayExportManifest(manifest)),
    run: context => runFor('manifest.package', context),
  },
  {
    id: 'manifest.addMember',
    label: 'Add Entity',
    icon: Plus,
    disabled: ({ manifest }) => reasonOf(mayEditManifest(manifest)),
    run: context => runFor('manifest.addEntity', context),
  },
]

/** The palette has the others for all manifests. */
const offeredCommands = [...manifestCommands, ...headCommands.filter(({ shortcut }) => shortcut !== undefined)]

const primaryCommands = ['manifest.publishAgain', 'manifest.build']
const labelledCommands = ['manifest.addMember']

/** The exports of the manifest's menu in the tree, without its submenu. */
function exportCommands(): readonly Command<AppContext>[] {
  return commandsAt('tree').flatMap(({ submenu, ...command }) => (submenu === 'Export' ? [command] : []))
}

/** Deletion texts of the document; the tree has its own. */
const documentTexts: ManifestDeletion = {
  deleted: messages.manifestDeleted,
  subManifestDeleted: messages.subManifestDeleted,
  unknown: messages.failed.deleteManifest,
}

function isPublished(context: ManifestContext): boolean {
  const command = commandById('manifest.publishAgain')
  return command !== undefined && isVisible(command, inTree(context))
}

function runFor(id: string, context: ManifestContext): void {
  void commandById(id)?.run(inTree(context))
}

function inTree({ manifest: { id, name, path, isDefault }, app }: ManifestContext): AppContext {
  return { ...app, target: { kind: 'manifest', id, name, path, isDefault, parent: null } }
}

function reasonOf(verdict: Verdict): string | false {
  return verdict.allowed ? false : verdict.reason
}

export function ManifestDocument({ id }: { id: number }) {
  const version = useViewedManifestVersion(id)
  const { data, error, refetch } = useManifest(id, version)
  const onLatest = version === undefined ? undefined : () => viewManifestVersion(id, undefined)
  const failure = { tabId: tabIdOf({ kind: 'manifest', id }), onRetry: () => void refetch(), onLatest }
  if (error && !data) return <DocumentFailure error={error} {...failure} />
  if (!data) return <Skeleton lines={12} />
  return <Loaded manifest={data.manifest} etag={data.etag} />
}

function Loaded({ manifest, etag }: { manifest: ManifestAnswer; etag: string }) {
  const app = useAppContext()
  const [steps, setSteps] = useState<StepContext['steps']>(null)
  const context = useMemo<ManifestContext>(() => ({ manifest, app, steps }), [manifest, app, steps])
  useCommands(offeredCommands, context)
  const { id, name, path, currentVersion, latestVersion } = manifest
  useEffect(() => {
    // Keeps the tab title in step with the manifest name.
    if (currentVersion === latestVersion) workbench.getState().rename(tabIdOf({ kind: 'manifest', id }), name, path)
  }, [id, name, path, currentVersion, latestVersion])
  const verdict = mayEditManifest(manifest)
  const panel = useRef<HTMLElement>(null)
  const over = useEntityDrop(panel, { id, name, locked: verdict.allowed ? false : verdict.reason })
  const tabId = tabIdOf({ kind: 'manifest', id })
  const tab = useManifestTab(tabId)
  const locked = verdict.allowed ? null : verdict.reason
  const hasText = useStore(sidePanel, state => state.manifest !== null)
  const [pasted, setPasted] = useState(() => takePastedIn(id))
  useTextPaste(panel, manifest.entityPaths.length === 0 && locked === null, text => {
    if (!hasText) toggleText('manifest')
    setPasted(text)
  })
  useListPaste(panel, listTabs.includes(tab), { manifest, locked })
  const version = currentVersion === latestVersion ? undefined : currentVersion

  const problems = useProblemCounts(id, !manifest.isDefault)

  function choose(next: ManifestTab) {
    workbench.getState().show(tabId, { tab: next })
    // Other manifests do not open with a comparison, their problems or enumerations.
    if (next !== compareTab && next !== problemsTab && next !== enumerationsTab)
      storeOwnSettings('diagrams', { tab: next })
  }

  const enumerationsItem: TabItem<ManifestTab> = {
    value: enumerationsTab,
    label: enumerationTexts.tab,
    count: manifest.enumerations.length,
    panel: (
      <div className={styles['lists']}>
        <EnumerationsPane key={id} manifest={manifest} etag={etag} />
      </div>
    ),
  }
  const tabs: TabItem<ManifestTab>[] = [
    {
      value: 'diagram',
      label: 'Diagram',
      panel: <DiagramPane key={id} manifest={{ id, name, version, mayEdit: verdict.allowed }} others={steps} />,
    },
    {
      value: 'entities',
      label: 'Entities',
      count: manifest.entityPaths.length,
      panel: (
        <div className={styles['lists']}>
          <PasteSteps manifestId={id} />
          <UnsavedEntities entities={manifest.entityPaths} />
          <Members title="Entities" kind="entity" manifest={manifest} members={manifest.entityPaths} />
          <Members title="Sub-Manifests" kind="manifest" manifest={manifest} members={manifest.subManifestPaths} />
        </div>
      ),
    },
    // Rare: the tabs of a manifest without them stay in one line.
    ...(manifest.enumerations.length > 0 || tab === enumerationsTab ? [enumerationsItem] : []),
    {
      value: problemsTab,
      label: liveProblemTexts.tab,
      ...(problems ? { count: problems.errors + problems.warnings } : {}),
      panel: <ProblemsPane key={id} manifest={manifest} isOld={version !== undefined} />,
    },
    { value: 'scopes', label: 'Scopes', panel: <ScopesPane key={id} manifest={manifest} /> },
    { value: compareTab, label: compareTexts.tab, panel: <ComparePane key={id} manifest={manifest} /> },
  ]
  return (
    <article
      ref={panel}
      className={styles['document']}
      data-over={over === null ? undefined : over === true ? 'yes' : 'no'}
      title={typeof over === 'string' ? over : undefined}
      aria-label={`Manifest ${visibleText(manifest.name)}`}
    >
      <DocumentHeader
        name={name}
        document={{ kind: 'manifest', id }}
        path={path}
        version={currentVersion}
        latest={latestVersion}
        onLatest={() => viewManifestVersion(id, undefined)}
        details={<Counts manifest={manifest} />}
      >
        <CommandBar
          label="Manifest"
          commands={[...headCommands, ...manifestCommands]}
          context={context}
          primary={primaryCommands}
          labelled={labelledCommands}
        >
          <Menu
            entries={entriesOf(exportCommands(), inTree(context))}
            trigger={<ToolbarButton render={<Button icon={Download}>Export</Button>} />}
          />
        </CommandBar>
      </DocumentHeader>
      <div data-tour="runs" className={styles['runs']}>
        <ManifestRuns key={id} id={id} name={name} />
      </div>
      {version === undefined && <ManifestSteps manifest={manifest} onSteps={setSteps} />}
      {!verdict.allowed && <LockedNote>{verdict.reason}</LockedNote>}
      <Beside
        label={paneTexts.width}
        panel={
          hasText ? (
            <TextPane
              key={`${id} ${currentVersion}`}
              of={{ kind: 'manifest', manifest, locked }}
              pasted={pasted}
              onPasted={() => setPasted(null)}
            />
          ) : null
        }
      >
        <Tabs label={`Parts of ${visibleText(name)}`} items={tabs} value={tab} onChange={choose} />
      </Beside>
    </article>
  )
}

/** Parts that show entities, into which a list of attributes is pasted. */
const listTabs: readonly ManifestTab[] = ['diagram', 'entities']

/** The part shown: of the address, else the one that the user chose last. */
function useManifestTab(tabId: TabId): ManifestTab {
  const addressed = useWorkbench(state => state.shown.get(tabId)?.tab)
  const [last] = useState(() => ownSettings('diagrams')['tab'])
  const [first] = useState<ManifestTab>(() => (matchMedia('(width < 900px)').matches ? 'entities' : 'diagram'))
  return [addressed, last].flatMap(value => manifestTabs.find(tab => tab === value) ?? [])[0] ?? first
}

function Counts({ manifest: { entityPaths, subManifestPaths } }: { manifest: ManifestAnswer }) {
  return (
    <table className={styles['counts']} aria-label="Information">
      <tbody>
        <tr>
          <th scope="row">Entities</th>
          <td>{entityPaths.length}</td>
        </tr>
        <tr>
          <th scope="row">Sub-Manifests</th>
          <td>{subManifestPaths.length}</td>
        </tr>
      </tbody>
    </table>
  )
}

/**
 * Makes the panel of a manifest a drop target like its node in the tree. null: nothing is dragged over it; true: may be
 * dropped; a text: the reason why not.
 */
export function useEntityDrop(ref: RefObject<HTMLElement | null>, receiver: Receiver): true | string | null {
  const [over, setOver] = useState<true | string | null>(null)
  const judge = useEffectEvent((source: string) => mayDrop(source, receiver))
  const drop = useEffectEvent((source: string) => void dropEntity(source, receiver))
  useEffect(() => {
    if (!ref.current) return
    return attachTreeDrag(ref.current, { id: '', movable: false, target: true, judge, onOver: setOver, onDrop: drop })
  }, [ref])
  return over
}
