import { defineDialog } from '../../workbench/dialogs.ts'
import type { AddToManifestDialogProps } from './AddToManifestDialog.tsx'
import type { CopyAttributesDialogProps } from './CopyAttributesDialog.tsx'
import type { ExtendEntityDialogProps } from './ExtendEntityDialog.tsx'
import type { EditSourceDialogProps } from './json/EditSourceDialog.tsx'
import type { NewRelationshipDialogProps } from './NewRelationshipDialog.tsx'
import type { NewTypeAttributeDialogProps } from './NewTypeAttributeDialog.tsx'
import type { SaveAsNewDialogProps } from './SaveAsNewDialog.tsx'

type Own<P> = Omit<P, 'onClose'>

export const newAttributeDialog = defineDialog<Own<NewTypeAttributeDialogProps>>('new-type-attribute', () =>
  import('./NewTypeAttributeDialog.tsx').then(module => module.NewTypeAttributeDialog),
)
export const newRelationshipDialog = defineDialog<Own<NewRelationshipDialogProps>>('new-relationship', () =>
  import('./NewRelationshipDialog.tsx').then(module => module.NewRelationshipDialog),
)
export const extendDialog = defineDialog<Own<ExtendEntityDialogProps>>('extend-entity', () =>
  import('./ExtendEntityDialog.tsx').then(module => module.ExtendEntityDialog),
)
export const addToManifestDialog = defineDialog<Own<AddToManifestDialogProps>>('add-to-manifest', () =>
  import('./AddToManifestDialog.tsx').then(module => module.AddToManifestDialog),
)
export const copyAttributesDialog = defineDialog<Own<CopyAttributesDialogProps>>('copy-attributes', () =>
  import('./CopyAttributesDialog.tsx').then(module => module.CopyAttributesDialog),
)
export const saveAsNewDialog = defineDialog<Own<SaveAsNewDialogProps>>('save-as-new', () =>
  import('./SaveAsNewDialog.tsx').then(module => module.SaveAsNewDialog),
)
export const editSourceDialog = defineDialog<Own<EditSourceDialogProps>>('edit-source', () =>
  import('./json/EditSourceDialog.tsx').then(module => module.EditSourceDialog),
)
