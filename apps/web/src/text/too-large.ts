import { paneTexts } from '@cadmus/model/messages/text-pane'

/** Above, reading takes longer than a user waits for the answer to what was typed: half a second for each thousand entities of twenty lines. */
const most = { entities: 3000, lines: 60_000 }

/** Why a manifest has no text; null if it has one. */
export function whyTooLarge(entities: number, lines: number): string | null {
  if (entities > most.entities) return paneTexts.tooLarge(entities, most.entities)
  return lines > most.lines ? paneTexts.tooManyLines(lines, most.lines) : null
}
