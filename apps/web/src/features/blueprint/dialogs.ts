import { defineDialog } from '../../workbench/dialogs.ts'
import type { BlueprintWizardProps } from './BlueprintWizard.tsx'

export const blueprintWizard = defineDialog<Omit<BlueprintWizardProps, 'onClose'>>('blueprint', () =>
  import('./BlueprintWizard.tsx').then(module => module.BlueprintWizard),
)
