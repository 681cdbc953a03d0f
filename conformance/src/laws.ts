import { answerLaws } from './generated/answers.js'
import { inputLaws } from './generated/input.js'
import { objectLaws } from './generated/objects.js'
import { readLaws } from './generated/reads.js'
import { tokenLaws } from './generated/tokens.js'
import type { Law } from './law.js'
import { additionLaws } from './laws/additions.js'
import { botLaws } from './laws/bots.js'
import { chatLaws } from './laws/chats.js'
import { draftLaws } from './laws/drafts.js'
import { fileLaws } from './laws/files.js'
import { formLaws } from './laws/forms.js'
import { limitLaws } from './laws/limits.js'
import { memberLaws } from './laws/members.js'
import { messageLaws } from './laws/messages.js'
import { oauthLaws } from './laws/oauth.js'
import { profileLaws, userLaws } from './laws/people.js'
import { inboundLaws, queueLaws } from './laws/queue.js'
import { pinLaws, reactionLaws } from './laws/reactions.js'
import { requestLaws } from './laws/requests.js'
import { searchLaws } from './laws/search.js'
import { tagLaws } from './laws/tags.js'
import { taskLaws } from './laws/tasks.js'
import { threadLaws } from './laws/threads.js'
import { webhookLaws } from './laws/webhooks.js'

/** Every law: those written by hand, then those that hold for many operations. */
export const LAWS: readonly Law[] = [
  ...chatLaws,
  ...memberLaws,
  ...messageLaws,
  ...reactionLaws,
  ...pinLaws,
  ...threadLaws,
  ...draftLaws,
  ...taskLaws,
  ...tagLaws,
  ...userLaws,
  ...profileLaws,
  ...botLaws,
  ...webhookLaws,
  ...queueLaws,
  ...inboundLaws,
  ...formLaws,
  ...fileLaws,
  ...searchLaws,
  ...requestLaws,
  ...limitLaws,
  ...oauthLaws,
  ...additionLaws,
  ...tokenLaws,
  ...objectLaws,
  ...inputLaws,
  ...readLaws,
  ...answerLaws,
]
