import { finish } from '../../steps.ts'
import { changing, type TextChange } from '../changes.ts'
import type { Answers, MarkedText, TextModel, TextReading } from '../marked-text.ts'
import { reading } from '../read.ts'

// For tests only: all steps at once.

export function readModel(marked: MarkedText, model: TextModel, answers?: Answers): TextReading {
  return finish(reading(marked, model, answers))
}

export function textChanges(shown: MarkedText, next: MarkedText, base?: MarkedText): readonly TextChange[] {
  return finish(changing(shown, next, base))
}
