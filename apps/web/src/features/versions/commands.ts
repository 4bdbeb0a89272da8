import { History } from 'lucide-react'
import { registerCommand } from '../../commands/registry.ts'
import { defineDialog, openDialog } from '../../workbench/dialogs.ts'
import type { EntityVersionsDialogProps } from './EntityVersionsDialog.tsx'
import type { ManifestVersionsDialogProps } from './ManifestVersionsDialog.tsx'

const entityVersions = defineDialog<Omit<EntityVersionsDialogProps, 'onClose'>>('entity-versions', () =>
  import('./EntityVersionsDialog.tsx').then(module => module.EntityVersionsDialog),
)
const manifestVersions = defineDialog<Omit<ManifestVersionsDialogProps, 'onClose'>>('manifest-versions', () =>
  import('./ManifestVersionsDialog.tsx').then(module => module.ManifestVersionsDialog),
)

/** Manage Versions of an entity or a manifest; the documents' toolbars run it for theirs. */
export function registerVersionCommands(): void {
  registerCommand(
    {
      id: 'versions.manage',
      label: 'Manage Versions',
      icon: History,
      visible: ({ target }) => target.kind === 'entity' || target.kind === 'manifest',
      run: ({ target }) => {
        if (target.kind === 'entity') openDialog(entityVersions, { entity: target })
        if (target.kind === 'manifest') openDialog(manifestVersions, { manifest: target })
      },
    },
    [],
    70,
  )
}
