"Small language models learn to answer questions about databases they have never seen."
__version__ = "0.1.0"

from sqlenv.data import DataError, Question, load_questions
from sqlenv.env import Episode, Observation, SQLAction, SQLEnvironment
from sqlenv.policies import Evaluation, OraclePolicy, Policy, RandomPolicy, evaluate
from sqlenv.rewards import RewardConfig
from sqlenv.verifier import Verdict, verify
