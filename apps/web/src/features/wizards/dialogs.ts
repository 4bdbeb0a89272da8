import { defineDialog } from '../../workbench/dialogs.ts'
import type { AddEntityDialogProps } from './AddEntityDialog.tsx'
import type { AddSubManifestDialogProps } from './AddSubManifestDialog.tsx'
import type { EntityWizardProps } from './EntityWizard.tsx'
import type { ManifestWizardProps } from './ManifestWizard.tsx'

type Own<P> = Omit<P, 'onClose'>

export const manifestWizard = defineDialog<Own<ManifestWizardProps>>('manifest-wizard', () =>
  import('./ManifestWizard.tsx').then(module => module.ManifestWizard),
)
export const entityWizard = defineDialog<Own<EntityWizardProps>>('entity-wizard', () =>
  import('./EntityWizard.tsx').then(module => module.EntityWizard),
)
export const addEntityDialog = defineDialog<Own<AddEntityDialogProps>>('add-entity', () =>
  import('./AddEntityDialog.tsx').then(module => module.AddEntityDialog),
)
export const addSubManifestDialog = defineDialog<Own<AddSubManifestDialogProps>>('add-sub-manifest', () =>
  import('./AddSubManifestDialog.tsx').then(module => module.AddSubManifestDialog),
)
