import { Package2, ScrollText, SlidersVertical, Table2 } from 'lucide-react'
import { registerBlueprintCommands } from './features/blueprint/commands.ts'
import { registerConfigurationCommands } from './features/configuration/commands.ts'
import { registerEntityCommands } from './features/entity/commands.ts'
import { registerHomeCommands } from './features/home/commands.ts'
import { registerLogCommands } from './features/logs/commands.ts'
import { registerManifestCommands } from './features/manifest/commands.ts'
import { registerNavigatorCommands } from './features/navigator/commands.ts'
import { registerPackageCommands } from './features/exported/commands.ts'
import { registerPageCommands } from './features/shell/page-commands.ts'
import { registerTokenCommands } from './features/tokens/commands.ts'
import { registerTourCommands } from './features/tours/commands.ts'
import { registerTransferCommands } from './features/transfer/commands.ts'
import { registerVersionCommands } from './features/versions/commands.ts'
import { registerWizardCommands } from './features/wizards/commands.ts'
import { registerDocumentKind } from './workbench/document-kinds.ts'

/** Registers all commands and document kinds, before the first render. */
export function registerAll(): void {
  registerPageCommands()
  registerNavigatorCommands()
  registerEntityCommands()
  registerManifestCommands()
  registerConfigurationCommands()
  registerWizardCommands()
  registerTransferCommands()
  registerBlueprintCommands()
  registerVersionCommands()
  registerPackageCommands()
  registerHomeCommands()
  registerLogCommands()
  registerTokenCommands()
  registerTourCommands()
  registerDocuments()
}

function registerDocuments(): void {
  registerDocumentKind({
    kind: 'entity',
    icon: Table2,
    content: async () => {
      // The sheet reports its own failure.
      const sheet = import('./features/entity/AttributeSheet.tsx').catch(() => null)
      const [{ EntityDocument }] = await Promise.all([import('./features/entity/EntityDocument.tsx'), sheet])
      return EntityDocument
    },
    properties: () => import('./features/entity/EntityProperties.tsx').then(module => module.EntityProperties),
    unnamed: id => `Entity ${id}`,
    restore: async (key, draft, isNeeded) =>
      (await import('./features/entity/restore-draft.ts')).restoreEntityDraft(key, draft, isNeeded),
  })
  registerDocumentKind({
    kind: 'manifest',
    icon: Package2,
    content: () => import('./features/manifest/ManifestDocument.tsx').then(module => module.ManifestDocument),
    properties: () => import('./features/manifest/ManifestProperties.tsx').then(module => module.ManifestProperties),
    unnamed: id => `Manifest ${id}`,
  })
  registerDocumentKind({
    kind: 'configuration',
    icon: SlidersVertical,
    content: () =>
      import('./features/configuration/ConfigurationDocument.tsx').then(module => module.ConfigurationDocument),
    properties: () =>
      import('./features/configuration/ConfigurationProperties.tsx').then(module => module.ConfigurationProperties),
    unnamed: id => `Configuration ${id}`,
    restore: async (key, draft, isNeeded) =>
      (await import('./features/configuration/restore-draft.ts')).restoreConfigurationDraft(key, draft, isNeeded),
  })
  registerDocumentKind({
    kind: 'logs',
    icon: ScrollText,
    content: () => import('./features/logs/LogsDocument.tsx').then(module => module.LogsDocument),
    properties: () => import('./features/logs/LogsProperties.tsx').then(module => module.LogsProperties),
    unnamed: () => 'Audit Logs',
  })
}
