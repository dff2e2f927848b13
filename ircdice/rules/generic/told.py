"""The rules of the dice notation by their ids, a sentence each, as `help GD-05` tells them."""

from grammars.generic.grammar import DEEPEST
from grammars.generic.nodes import FEWEST_LISTED
from grammars.tokens import LARGEST, MOST_CHARACTERS, MOST_DICE, MOST_DRAWN

RULES = {
    "GD-01": "NdX is N dice of X sides and their sum; d% has 100, dF shows -1 to 1, and d{1,3,5} has the faces "
    f"listed, at least {FEWEST_LISTED}.",
    "GD-02": "k and kl keep the highest and the lowest, dl and dh drop them; of equal dice the left one stays.",
    "GD-03": "A comparison is a number, which means equal, or =N <N >N <=N >=N <>N.",
    "GD-04": "rC throws each die that matches again until none does, and roC once.",
    "GD-05": "! brings one more die for each on its highest face, !C for each that matches; !! adds it to the same "
    "die, and with !p each further die counts one less.",
    "GD-06": "miN raises what is lower to N, and maN lowers what is higher.",
    "GD-07": "A comparison with a sign behind dice counts those that match, and fC behind it takes one off for each C.",
    "GD-08": "Modifiers work from left to right, each on the dice as the one before left them.",
    "GD-09": "+ - * / // % and parentheses work as in arithmetic; / is exact, and a divisor that may be 0 is refused.",
    "GD-10": "Words in [brackets] behind a term are its name.",
    "GD-11": '"6x" in front rolls the whole that many times, each with its own total.',
    "GD-12": "What stands behind # or for is a comment.",
    "GD-13": "A comparison with blanks around it asks whether the two sides compare so: success or failure.",
    "GD-14": f"There are limits: {MOST_CHARACTERS} characters, {MOST_DICE} dice in a term, {MOST_DRAWN} in all, faces "
    f"up to {LARGEST}, parentheses {DEEPEST} deep, and nothing that could never end.",
    "GD-15": 'Called, "roll 20" is 1d20 and "roll 1 100" a number from 1 to 100; adv and dis double a lone d20.',
}
