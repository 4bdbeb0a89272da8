import { defineDialog } from '../../workbench/dialogs.ts'
import type { CreateOrganisationDialogProps } from './CreateOrganisationDialog.tsx'
import type { LicenceDialogProps } from './LicenceDialog.tsx'
import type { MemberDialogProps } from './MemberDialog.tsx'
import type { NameDialogProps } from './NameDialog.tsx'
import type { RenameOrganisationDialogProps } from './RenameOrganisationDialog.tsx'

export const createOrganisationDialog = defineDialog<Omit<CreateOrganisationDialogProps, 'onClose'>>(
  'create-organisation',
  () => import('./CreateOrganisationDialog.tsx').then(module => module.CreateOrganisationDialog),
)
export const renameOrganisationDialog = defineDialog<Omit<RenameOrganisationDialogProps, 'onClose'>>(
  'rename-organisation',
  () => import('./RenameOrganisationDialog.tsx').then(module => module.RenameOrganisationDialog),
)
export const licenceDialog = defineDialog<Omit<LicenceDialogProps, 'onClose'>>('licence-limits', () =>
  import('./LicenceDialog.tsx').then(module => module.LicenceDialog),
)
export const memberDialog = defineDialog<Omit<MemberDialogProps, 'onClose'>>('member', () =>
  import('./MemberDialog.tsx').then(module => module.MemberDialog),
)
export const nameDialog = defineDialog<Omit<NameDialogProps, 'onClose'>>('name', () =>
  import('./NameDialog.tsx').then(module => module.NameDialog),
)
export const refreshStructureDialog = defineDialog('refresh-structure', () =>
  import('./RefreshStructureDialog.tsx').then(module => module.RefreshStructureDialog),
)
