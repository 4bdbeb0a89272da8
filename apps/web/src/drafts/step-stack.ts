import { useState } from 'react'
import { Redo2, Undo2 } from 'lucide-react'
import type { Command } from '../commands/command.ts'
import { useCommands } from '../commands/use-commands.ts'
import { draftKey } from './draft-key.ts'
import type { DraftStep } from './edit-draft.ts'

/** Steps made from a place outside their documents, in order; each is undone only as long as it is the last one of its draft. */
export class StepStack {
  readonly #done: DraftStep[] = []
  readonly #undone: DraftStep[] = []
  readonly commands: readonly Command<object>[]

  constructor(place: string) {
    const undoable = () => this.#done.at(-1)
    const redoable = () => this.#undone.at(-1)
    this.commands = [
      {
        id: `${place}.undo`,
        label: () => `Undo: ${undoable()?.label ?? ''}`,
        icon: Undo2,
        shortcut: 'mod+z',
        visible: () => undoable()?.canUndo() === true,
        run: () => this.#move(this.#done, this.#undone, step => step.undo()),
      },
      {
        id: `${place}.redo`,
        label: () => `Redo: ${redoable()?.label ?? ''}`,
        icon: Redo2,
        shortcut: 'mod+shift+z',
        alternatives: ['mod+y'],
        visible: () => redoable()?.canRedo() === true,
        run: () => this.#move(this.#undone, this.#done, step => step.redo()),
      },
    ]
  }

  add(step: DraftStep): void {
    this.#done.push(step)
    this.#undone.length = 0
  }

  #move(from: DraftStep[], to: DraftStep[], run: (step: DraftStep) => void): void {
    const step = from.pop()
    if (!step) return
    run(step)
    to.push(step)
  }
}

const stacks = new Map<string, StepStack>()

/** The steps made from a place of a manifest, also after that was left. */
export function stepStackOf(place: string, manifestId: number): StepStack {
  const key = `${place} ${draftKey(manifestId, undefined)}`
  const steps = stacks.get(key) ?? new StepStack(place)
  stacks.set(key, steps)
  return steps
}

const noContext = {}

/** Ctrl+Z and Ctrl+Y concern the steps of this place while it is shown. */
export function useStepStack(place: string): StepStack {
  const [steps] = useState(() => new StepStack(place))
  useCommands(steps.commands, noContext)
  return steps
}
