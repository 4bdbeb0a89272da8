import { Package2, Table2 } from 'lucide-react'
import { registerEntityCommands } from './features/entity/commands.ts'
import { registerNavigatorCommands } from './features/navigator/commands.ts'
import { registerPageCommands } from './features/shell/page-commands.ts'
import { registerTransferCommands } from './features/transfer/commands.ts'
import { registerVersionCommands } from './features/versions/commands.ts'
import { registerWizardCommands } from './features/wizards/commands.ts'
import { registerDocument } from './workbench/document-views.ts'

/** Makes every feature's commands and documents known, before the first screen shows. */
export function registerEverything(): void {
  registerPageCommands()
  registerNavigatorCommands()
  registerEntityCommands()
  registerWizardCommands()
  registerTransferCommands()
  registerVersionCommands()
  registerDocument(
    'entity',
    Table2,
    () => import('./features/entity/EntityDocument.tsx').then(module => module.EntityDocument),
    () => import('./features/entity/EntityProperties.tsx').then(module => module.EntityProperties),
  )
  registerDocument(
    'manifest',
    Package2,
    () => import('./features/manifest/ManifestDocument.tsx').then(module => module.ManifestDocument),
    () => import('./features/manifest/ManifestProperties.tsx').then(module => module.ManifestProperties),
  )
}
