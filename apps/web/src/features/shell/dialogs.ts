import { defineDialog } from '../../workbench/dialogs.ts'

export const keysDialog = defineDialog('keys', () => import('./KeysDialog.tsx').then(module => module.KeysDialog))
export const organisationDialog = defineDialog('organisation', () =>
  import('./OrganisationDialog.tsx').then(module => module.OrganisationDialog),
)
export const paletteDialog = defineDialog('palette', () => import('./Palette.tsx').then(module => module.Palette))
