"""What language models cost and what may be spent: prices, budgets, and the allowance that keeps to them.

What was spent is in `ports.CallLog`; listing and estimating it is the workflow's.
"""

from memstrata.spending.allowance import Allowance
from memstrata.spending.budgets import Budgets, Limit, Period, read_limits
from memstrata.spending.prices import Price, Prices, default_prices, load_prices
from memstrata.spending.tokens import tokens_of

__all__ = [
    "Allowance",
    "Budgets",
    "Limit",
    "Period",
    "Price",
    "Prices",
    "default_prices",
    "load_prices",
    "read_limits",
    "tokens_of",
]
