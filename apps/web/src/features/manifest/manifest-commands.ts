import {
  mayDeleteManifest,
  mayEditManifest,
  mayExportManifest,
  mayManageManifestVersions,
  type ManifestState,
  type Verdict,
} from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import {
  Database,
  FolderTree,
  History,
  PencilLine,
  RotateCw,
  SlidersVertical,
  TableProperties,
  Trash2,
} from 'lucide-react'
import { isVisible, type Command } from '../../commands/command.ts'
import { commandById } from '../../commands/registry.ts'
import type { AppContext } from '../../commands/context.ts'
import { deleteManifestAfterQuestion, type ManifestDeletion } from '../../commands/deletion.ts'

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
