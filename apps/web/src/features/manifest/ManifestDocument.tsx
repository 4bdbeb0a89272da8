import {
  Database,
  FolderTree,
  History,
  Lock,
  PencilLine,
  RotateCw,
  SlidersVertical,
  Table2,
  TableProperties,
  Trash2,
} from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { ManifestAnswer } from '@cadmus/model/contract/manifest-shapes'
import { visibleText } from '@cadmus/model/display'
import {
  type ManifestState,
  mayDeleteManifest,
  mayEditManifest,
  mayExportManifest,
  mayManageManifestVersions,
  mayRemoveMember,
  type Verdict,
} from '@cadmus/model/locks'
import type { MemberType } from '@cadmus/model/manifest'
import { messages } from '@cadmus/model/messages'
import { useManifest } from '../../api/manifests.ts'
import { CommandButtons } from '../../commands/CommandButtons.tsx'
import { DocumentFailure } from '../../commands/DocumentFailure.tsx'
import { DocumentLink, openAt, openEntries } from '../../commands/DocumentLink.tsx'
import { DocumentPath } from '../../commands/DocumentPath.tsx'
import { type Command, isVisible } from '../../commands/command.ts'
import type { AppContext } from '../../commands/context.ts'
import {
  deleteManifestAfterQuestion,
  type ManifestDeletion,
  removeMemberAfterQuestion,
  removeSubManifestAfterQuestion,
} from '../../commands/deletion.ts'
import { dropEntity, mayDrop, memberId, type Receiver } from '../../commands/entity-drop.ts'
import { commandById } from '../../commands/registry.ts'
import { useCommands } from '../../commands/use-commands.ts'
import { useAppContext } from '../../commands/use-app-context.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FolderPath } from '../../ui/FolderPath.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Toolbar } from '../../ui/Toolbar.tsx'
import { attachTreeDrag } from '../../ui/tree-drag.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import { workbench } from '../../workbench/page-workbench.ts'
import styles from './ManifestDocument.module.css'
import { useViewedManifestVersion, viewManifestVersion } from './viewed-version.ts'

export type ManifestContext = { manifest: ManifestState & { id: number; name: string; path: string }; app: AppContext }

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
    id: 'manifest.versions',
    label: 'Manage Versions',
    icon: History,
    disabled: ({ manifest }) => reasonOf(mayManageManifestVersions(manifest)),
    run: context => runFor('versions.manage', context),
  },
  {
    id: 'manifest.configure',
    label: 'Configure',
    fullLabel: 'Configure manifest',
    icon: SlidersVertical,
    run: context => runFor('manifest.configure', context),
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
    visible: context => {
      const command = commandById('manifest.publishAgain')
      return command !== undefined && isVisible(command, inTree(context))
    },
    run: context => runFor('manifest.publishAgain', context),
  },
  {
    id: 'manifest.delete',
    label: 'Delete Manifest',
    icon: Trash2,
    danger: true,
    disabled: ({ manifest }) => reasonOf(mayDeleteManifest(manifest)),
    run: ({ manifest }) => deleteManifestAfterQuestion(manifest, documentTexts),
  },
]

/** Deletion texts of the document; the tree has its own. */
const documentTexts: ManifestDeletion = {
  deleted: messages.manifestDeleted,
  subManifestDeleted: messages.subManifestDeleted,
  unknown: messages.failed.deleteManifest,
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
  return <Loaded manifest={data.manifest} />
}

function Loaded({ manifest }: { manifest: ManifestAnswer }) {
  const app = useAppContext()
  const context = useMemo<ManifestContext>(() => ({ manifest, app }), [manifest, app])
  useCommands(manifestCommands, context)
  const { id, name, path, currentVersion, latestVersion } = manifest
  useEffect(() => {
    // Keeps the tab title in step with the manifest name.
    if (currentVersion === latestVersion) workbench.getState().rename(tabIdOf({ kind: 'manifest', id }), name, path)
  }, [id, name, path, currentVersion, latestVersion])
  const verdict = mayEditManifest(manifest)
  const panel = useRef<HTMLElement>(null)
  const over = useEntityDrop(panel, { id, name, locked: verdict.allowed ? false : verdict.reason })
  return (
    <article
      ref={panel}
      className={styles['document']}
      data-over={over === null ? undefined : over === true ? 'yes' : 'no'}
      title={typeof over === 'string' ? over : undefined}
      aria-label={`Manifest ${visibleText(manifest.name)}`}
    >
      <header className={styles['header']}>
        <div className={styles['titles']}>
          <h1>{visibleText(name)}</h1>
          <DocumentPath
            path={path}
            version={currentVersion}
            latest={latestVersion}
            onLatest={() => viewManifestVersion(id, undefined)}
          />
        </div>
        <Toolbar label="Manifest">
          <CommandButtons commands={manifestCommands} context={context} />
        </Toolbar>
      </header>
      {!verdict.allowed && (
        <p className={styles['locked']}>
          <Lock size={14} aria-hidden />
          {verdict.reason}
        </p>
      )}
      <table className={styles['counts']} aria-label="Information">
        <tbody>
          <tr>
            <th scope="row">Entities</th>
            <td>{manifest.entityPaths.length}</td>
          </tr>
          <tr>
            <th scope="row">Sub-Manifests</th>
            <td>{manifest.subManifestPaths.length}</td>
          </tr>
        </tbody>
      </table>
      <div className={styles['lists']}>
        <Members title="Entities" kind="entity" manifest={manifest} members={manifest.entityPaths} />
        <Members title="Sub-Manifests" kind="manifest" manifest={manifest} members={manifest.subManifestPaths} />
      </div>
    </article>
  )
}

type Member = { id: number; name: string; path: string; type?: MemberType }

type MemberKind = 'entity' | 'manifest'

const columnsOf = (kind: MemberKind): readonly Column<Member>[] => [
  {
    id: 'name',
    header: 'Name',
    cell: ({ id, name, path }) => (
      <DocumentLink document={{ kind, id, name, path }} inRow>
        {name}
      </DocumentLink>
    ),
    width: '40%',
  },
  { id: 'path', header: 'Path', cell: row => <FolderPath folder={row.path} />, mono: true },
]
const columns = { entity: columnsOf('entity'), manifest: columnsOf('manifest') }

type MembersProps = { title: string; kind: MemberKind; manifest: ManifestAnswer; members: readonly Member[] }

function Members({ title, kind, manifest, members }: MembersProps) {
  const text = kind === 'entity' ? messages.empty.entities : 'No Sub-Manifests to display'
  const verdict = mayRemoveMember(manifest)
  const remove = (member: Member) =>
    kind === 'entity'
      ? removeMemberAfterQuestion(member, manifest, member.type !== 'TEMPLATE')
      : removeSubManifestAfterQuestion(member, manifest)
  return (
    <section className={styles['members']} aria-label={title}>
      <h2>{title}</h2>
      <DataTable
        label={title}
        columns={columns[kind]}
        rows={members}
        rowId={row => String(row.id)}
        rowName={row => row.name}
        dragId={kind === 'entity' ? row => memberId(manifest, row) : undefined}
        onOpen={({ id, name, path }) => openAt({ kind, id, name, path })}
        entriesFor={row => [
          ...openEntries({ kind, id: row.id, name: row.name, path: row.path }),
          {
            kind: 'item',
            id: 'delete',
            label: 'Delete',
            icon: Trash2,
            danger: true,
            disabled: verdict.allowed ? false : verdict.reason,
            run: () => void remove(row),
          },
        ]}
        empty={<EmptyState icon={kind === 'entity' ? Table2 : FolderTree} text={text} />}
      />
    </section>
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
