import { historyTexts } from '@cadmus/model/messages/history'
import { Redo2, Undo2 } from 'lucide-react'
import type { Command } from '../../commands/command.ts'
import { onDemand } from '../../ui/on-demand.ts'
import type { StepsOfManifest } from './ManifestSteps.tsx'

/** What undo and redo take back in the entities of a manifest is found by a chunk of its own. */
export const { Component: ManifestSteps } = onDemand(() =>
  import('./ManifestSteps.tsx').then(module => module.ManifestSteps),
)

/** Null while they are not known, and for an old version. */
export type StepContext = { steps: StepsOfManifest | null }

/** They leave their keys to the diagram, lists and scopes, which take back what was done there. */
export const stepCommands: readonly Command<StepContext>[] = (['undo', 'redo'] as const).map(direction => ({
  id: `manifest.${direction}`,
  label: ({ steps }) => [historyTexts.cause[direction], steps?.[direction]].filter(Boolean).join(': '),
  icon: direction === 'undo' ? Undo2 : Redo2,
  shortcut: direction === 'undo' ? 'mod+z' : 'mod+shift+z',
  alternatives: direction === 'undo' ? [] : ['mod+y'],
  yields: true,
  disabled: ({ steps }) => (steps?.[direction] === undefined ? historyTexts.nothing[direction] : false),
  run: ({ steps }) => steps?.take(direction),
}))
