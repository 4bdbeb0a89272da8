import { compareTexts } from '@cadmus/model/messages/compare'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { Command } from '../commands/command.ts'

export type StepContext = { step: (by: 1 | -1) => void }

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
