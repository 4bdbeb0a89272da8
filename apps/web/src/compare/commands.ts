import { compareTexts } from '@cadmus/model/messages/compare'
import { ArrowDown, ArrowUp, GitCompareArrows } from 'lucide-react'
import type { Command } from '../commands/command.ts'

export type StepContext = { step: (by: 1 | -1) => void }

export const compareViews = ['sheets', 'diagram', 'text', 'consequences', 'migration'] as const
export type CompareView = (typeof compareViews)[number]
export type ViewContext = { show: (view: CompareView) => void }

/** The views of a comparison, in the palette. */
export const viewCommands: readonly Command<ViewContext>[] = compareViews.map(view => ({
  id: `compare.view.${view}`,
  label: compareTexts.views.command(view),
  icon: GitCompareArrows,
  run: ({ show }) => show(view),
}))

/** The commands of a comparison. */
export const stepCommands: readonly Command<StepContext>[] = [
  {
    id: 'compare.previous',
    label: compareTexts.previous,
    icon: ArrowUp,
    shortcut: 'shift+f7',
    run: ({ step }) => step(-1),
  },
  { id: 'compare.next', label: compareTexts.next, icon: ArrowDown, shortcut: 'f7', run: ({ step }) => step(1) },
]
