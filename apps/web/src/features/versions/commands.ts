import { firstTexts } from '@cadmus/model/messages/first-load'
import { GitCompareArrows, History } from 'lucide-react'
import { documentOf } from '../../commands/context.ts'
import { openAt } from '../../commands/DocumentLink.tsx'
import { registerCommand } from '../../commands/registry.ts'
import { compareTab } from '../../workbench/address.ts'
import { workbench } from '../../workbench/page-workbench.ts'
import { defineDialog, openDialog } from '../../workbench/dialogs.ts'
import { type DocumentRef, tabIdOf } from '../../workbench/documents.ts'
import { savedFirst } from '../../workbench/leave.ts'
import type { EntityVersionsDialogProps } from './EntityVersionsDialog.tsx'
import type { ManifestVersionsDialogProps } from './ManifestVersionsDialog.tsx'

const entityVersions = defineDialog<Omit<EntityVersionsDialogProps, 'onClose'>>('entity-versions', () =>
  import('./EntityVersionsDialog.tsx').then(module => module.EntityVersionsDialog),
)
const manifestVersions = defineDialog<Omit<ManifestVersionsDialogProps, 'onClose'>>('manifest-versions', () =>
  import('./ManifestVersionsDialog.tsx').then(module => module.ManifestVersionsDialog),
)

/** Manage Versions of an entity or a manifest; also run by the documents' toolbars. */
export function registerVersionCommands(): void {
  registerCommand(
    {
      id: 'versions.manage',
      label: 'Manage Versions',
      icon: History,
      visible: ({ target }) => target.kind === 'entity' || target.kind === 'manifest',
      run: async ({ target }) => {
        const { tabs } = workbench.getState()
        const affected = target.kind === 'entity' ? tabs.filter(tab => tab.tabId === tabIdOf(target)) : tabs
        if (!(await savedFirst(workbench, affected, 'Manage Versions', firstTexts.versionHoldsSaved))) return
        if (target.kind === 'entity') openDialog(entityVersions, { entity: target })
        if (target.kind === 'manifest') openDialog(manifestVersions, { manifest: target })
      },
    },
    [],
    70,
  )
  registerComparisons()
}

function registerComparisons(): void {
  registerCommand(
    {
      id: 'versions.compare',
      label: 'Compare Versions…',
      icon: GitCompareArrows,
      visible: ({ target }) => documentOf(target) !== null,
      run: ({ target }) => showComparison(documentOf(target)),
    },
    ['tree', 'admin'],
    71,
  )
  registerCommand(
    {
      id: 'versions.compareShown',
      label: 'Compare Versions…',
      icon: GitCompareArrows,
      visible: ({ active }) => active?.kind === 'entity' || active?.kind === 'manifest',
      run: ({ active }) => showComparison(active),
    },
    ['palette'],
    873,
  )
}

function showComparison(document: DocumentRef | null): void {
  if (document) openAt(document, { tab: compareTab })
}
