import { defineDialog } from '../../workbench/dialogs.ts'

export const tokensDialog = defineDialog<{ onCreate: () => void }>('tokens', () =>
  import('./TokensDialog.tsx').then(module => module.TokensDialog),
)
export const createTokenDialog = defineDialog('create-token', () =>
  import('./CreateTokenDialog.tsx').then(module => module.CreateTokenDialog),
)
