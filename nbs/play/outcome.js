/** How an episode ended, in words: the verdict, or what was answered where nobody judges. */
export function outcome({question, actions, correct, reason}) {
  if (question.judged) return correct ? 'is right' : `is wrong: ${reason}`
  const answer = actions.findLast(([kind]) => kind === 'ANSWER')
  if (answer) return `answered ${answer[1]}`
  return `gave no answer${reason && `: ${reason}`}`
}
