import { defineDialog } from '../../workbench/dialogs.ts'

export const guidedToursDialog = defineDialog<{ isAfterOnboarding: boolean }>('guided-tours', () =>
  import('./GuidedToursDialog.tsx').then(module => module.GuidedToursDialog),
)
